import { queryFor } from "#web/core/api/api.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";

/** The chatbots that are open to a learner, in a course or without one. */
export const botLinksQuery = (courseId: string | null) =>
  queryFor(chatbots.mine, { query: courseId ? { courseId } : {} });
