import type { Db } from "#server/core/database/db.ts";
import { readValuesAt } from "#server/variables/valuesAt.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

/** Whose values are read, of which course, and when its session began (ISO 8601). */
type StartedSession = Parameters<typeof readValuesAt>[1] & { courseId: string; startedAt: string };

/**
 * The values that the variables of a course had when a session began, by the id of the variable. Not masked: callers do
 * that.
 */
export async function readStartValues(db: Db, session: StartedSession): Promise<Map<string, VariableValue>> {
  const used = await db
    .selectFrom("variableCourses")
    .where("courseId", "=", session.courseId)
    .select("variableId")
    .execute();
  const variableIds = used.map(({ variableId }) => variableId);
  return readValuesAt(db, session, variableIds, session.startedAt);
}
