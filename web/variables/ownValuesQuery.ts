import { queryFor } from "#web/core/api/api.ts";
import { rawData } from "#shared/rawData/rawData.ts";

/** What a course has stored of its learner. */
export const ownValuesQuery = (courseId: string) => queryFor(rawData.mine, { query: { courseId } });
