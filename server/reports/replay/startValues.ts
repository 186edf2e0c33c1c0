import type { Db } from "#server/core/database/db.ts";
import type { FoundSession } from "#server/reports/replay/session.ts";
import { readValuesAt } from "#server/variables/valuesAt.ts";
import type { VariableValue } from "#shared/variables/variableValues.ts";

/** The values that the variables of a course had when a session began, by the id of the variable. Callers mask them. */
export async function readStartValues(db: Db, session: FoundSession): Promise<Map<string, VariableValue>> {
  const used = await db
    .selectFrom("variableCourses")
    .where("courseId", "=", session.courseId)
    .select("variableId")
    .execute();
  const variableIds = used.map(({ variableId }) => variableId);
  return readValuesAt(db, session, variableIds, session.startedAt);
}
