import { queryFor } from "#web/core/api/api.ts";
import { rawData } from "#shared/rawData/rawData.ts";

/** The query for the learner's own values in a course. */
export const ownValuesQuery = (courseId: string) => queryFor(rawData.mine, { query: { courseId } });
