import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import { type CourseVariable, readCourseVariables } from "#server/variables/courseVariables.ts";
import { readStoredValue, selectValues, toFolded } from "#server/variables/folding.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import type { Launch } from "#shared/player.ts";
import { type FoldedValue, foldValue, MAX_NEW_KEYS, type VariableValue } from "#shared/variableValues.ts";

/** The variables of a course with the values of one learner, for a launch. */
export async function readLaunchVariables(db: Db, origin: Origin & { courseId: string }): Promise<Launch["variables"]> {
  const all = [...(await readCourseVariables(db, origin.courseId)).values()];
  const values = await readValues(db, all, origin);
  const declared = all.map(({ key, type, constraints, writeMode, access, status, defaultValue, id }) => ({
    key,
    type,
    constraints,
    writeMode,
    access,
    status,
    value: access === "write" ? null : (values.get(id) ?? defaultValue),
  }));
  const newKeys = all.filter(({ status }) => status === "new" || status === "ignored").length;
  return { declared, newKeysLeft: Math.max(0, MAX_NEW_KEYS - newKeys) };
}

/** The current value of each variable for a learner: as folded, and with the values that are not folded yet. */
async function readValues(db: Db, variables: CourseVariable[], origin: Origin): Promise<Map<string, VariableValue>> {
  const subjects = new Map(
    variables.flatMap(({ id, scope }) => {
      const subject = subjectOf(scope, origin);
      return subject === null ? [] : [[id, subject] as const];
    }),
  );
  if (subjects.size === 0) return new Map();
  const stored = await db
    .selectFrom("variableCurrent")
    .where(
      sql<boolean>`(variable_id, subject) in (select * from unnest(${[...subjects.keys()]}::uuid[], ${[...subjects.values()]}::text[]))`,
    )
    .selectAll()
    .execute();
  const folded = new Map<string, FoldedValue>(stored.map((row) => [row.variableId, toFolded(row)]));
  const unfolded = await selectValues(db)
    .innerJoin("variableFold", (join) => join.onTrue())
    .where("v.variableId", "in", [...subjects.keys()])
    .where(sql<boolean>`(v.tx, v.id) > (variable_fold.tx, variable_fold.value_id)`)
    .where("v.refusal", "is", null)
    .where("v.deletionId", "is", null)
    .where("v.preview", "=", false)
    .orderBy("v.id")
    .execute();
  for (const row of unfolded) {
    const value = readStoredValue(row);
    if (value === undefined || subjectOf(row.scope, row) !== subjects.get(row.variableId)) continue;
    const event = { id: row.id, at: Date.parse(row.happenedAt), value };
    folded.set(row.variableId, foldValue(row.writeMode, folded.get(row.variableId) ?? null, event));
  }
  return new Map([...folded].map(([id, { current }]) => [id, current]));
}
