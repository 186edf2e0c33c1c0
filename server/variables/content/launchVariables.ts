import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { type CourseVariable, readCourseVariables } from "#server/variables/content/courseVariables.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import type { Launch } from "#shared/player/player.ts";
import { parseToolPath } from "#shared/variables/variablePaths.ts";
import { MAX_NEW_KEYS, type VariableValue } from "#shared/variables/variableTypes.ts";

/**
 * Whether the value of a variable is sent to the content of a course. A hidden one is not sent if nothing reads it: its
 * definition is archived, or the package sets it through a path, without `Lyceum`.
 */
const isRead = ({ access, learnerVisible, status, path }: CourseVariable) =>
  access !== "write" && (learnerVisible || (status === "active" && path === null));

/** The variables of a course with the values of one learner, for a launch. */
export async function readLaunchVariables(
  db: Db,
  origin: Origin & { courseId: string; attemptId: string; versionId: string },
): Promise<Launch["variables"]> {
  const all = [...(await readCourseVariables(db, origin.courseId)).values()];
  const subjects = all.filter(isRead).flatMap(({ id, scope }): [string, string][] => {
    const subject = subjectOf(scope, origin);
    return subject === null ? [] : [[id, subject]];
  });
  const values = await readCurrentValues(db, new Map(subjects));
  const declared = all.map((variable) => {
    const { key, type, constraints, writeMode, access, status, defaultValue, id } = variable;
    const value = isRead(variable) ? (values.get(id)?.current ?? defaultValue) : null;
    return { key, type, constraints, writeMode, access, status, value };
  });
  const newKeys = all.filter(({ status }) => status === "new" || status === "ignored").length;
  const ofPackage = all.flatMap(({ id, path, access, status }) =>
    path !== null && access !== "read" && status === "active" && parseToolPath(path) ? { id, path } : [],
  );
  return {
    declared,
    packagePaths: [...new Set(ofPackage.map(({ path }) => path))],
    packageValues: await readPackageValues(db, origin, ofPackage),
    newKeysLeft: Math.max(0, MAX_NEW_KEYS - newKeys),
  };
}

/**
 * The values of variables of an authoring tool that the package starts with, by path: the initial ones in its files,
 * and the last recorded ones, which it restores in a continued attempt. They are not recorded again. Deleted values are
 * included, because the package may restore them, too.
 */
async function readPackageValues(
  db: Db,
  { attemptId, versionId }: { attemptId: string; versionId: string },
  ofPackage: { id: string; path: string }[],
): Promise<Launch["variables"]["packageValues"]> {
  if (ofPackage.length === 0) return {};
  const paths = ofPackage.map(({ path }) => path);
  const { rows: initial } = await sql<{ path: string; value: VariableValue }>`
    select name->>'path' as path, name->'initial' as value
    from course_versions, jsonb_array_elements(package_names) name
    where id = ${versionId} and name->>'path' = any(${paths}) and name ? 'initial'`.execute(db);
  const { rows: last } = await sql<{ variableId: string; value: VariableValue }>`
    select chosen.id as "variableId", last.value
    from unnest(${ofPackage.map(({ id }) => id)}::uuid[]) as chosen (id)
    cross join lateral (
      select value
      from variable_values
      where attempt_id = ${attemptId}
        and source = 'package'
        and variable_id = chosen.id
        and length(value::text) <= ${MAX_LAST_CHARS}
      order by id desc
      limit 1
    ) last`.execute(db);
  const lastOf = new Map(last.map(({ variableId, value }) => [variableId, value]));
  const initialOf = new Map(initial.map(({ path, value }) => [path, value]));
  const valueIn = (values: Map<string, VariableValue>, key: string) => {
    const value = values.get(key);
    return value === undefined ? [] : [value];
  };
  return Object.fromEntries(
    ofPackage.map(({ id, path }) => [path, [...valueIn(initialOf, path), ...valueIn(lastOf, id)]]),
  );
}
/** Longer texts are not sent: if the package restores one, it is recorded again. */
const MAX_LAST_CHARS = 1000;
