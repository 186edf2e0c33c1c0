import { type Selectable, sql } from "kysely";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { Variables } from "#server/core/database/db.types.ts";
import type { variableAccess, variableStatus } from "#shared/variables/variables.ts";
import { guessType } from "#shared/variables/valueRules.ts";
import { MAX_NEW_KEYS, type VariableValue } from "#shared/variables/variableTypes.ts";
import type { z } from "zod";

/** A variable as the content of one course uses it. */
export type CourseVariable = {
  id: string;
  /** The key in this course; after a merge it may differ from the key of the definition. */
  key: string;
  access: z.infer<typeof variableAccess>;
  /** The path of a value of the SCORM data model, or of the authoring tool, that sets it (variablePaths.ts). */
  path: string | null;
  status: z.infer<typeof variableStatus>;
} & Pick<VariableRow, "type" | "constraints" | "scope" | "writeMode" | "defaultValue" | "learnerVisible">;
type VariableRow = Selectable<Variables>;

/** The variables that a course may use, by the keys of its content. */
export async function readCourseVariables(db: Db, courseId: string): Promise<Map<string, CourseVariable>> {
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("variableCourses.courseId", "=", courseId)
    .select([
      "variables.id",
      "variableCourses.key",
      "variableCourses.access",
      "variableCourses.path",
      "variables.status",
      "variables.type",
      "variables.constraints",
      "variables.scope",
      "variables.writeMode",
      "variables.defaultValue",
      "variables.learnerVisible",
    ])
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * Creates variables with status `new` for unknown keys of a course, at most MAX_NEW_KEYS for a course. The lock makes
 * simultaneous calls create one variable for a key.
 */
export async function addNewKeys(db: Db, courseId: string, keys: Map<string, VariableValue>) {
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`variable keys ${courseId}`}, 0))`.execute(tx);
    const variables = await readCourseVariables(tx, courseId);
    const newCount = [...variables.values()].filter(({ status }) => status === "new" || status === "ignored").length;
    const missing = [...keys].filter(([key]) => !variables.has(key)).slice(0, Math.max(0, MAX_NEW_KEYS - newCount));
    for (const [key, value] of missing) {
      const { id } = await tx
        .insertInto("variables")
        .values({ key, label: key, type: guessType(value), scope: "learner", status: "new" })
        .returning("id")
        .executeTakeFirstOrThrow();
      await tx.insertInto("variableCourses").values({ courseId, key, variableId: id }).execute();
    }
  });
}
