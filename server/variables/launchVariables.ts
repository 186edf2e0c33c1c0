import type { Db } from "#server/core/database/db.ts";
import { type CourseVariable, readCourseVariables } from "#server/variables/courseVariables.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import type { Launch } from "#shared/player/player.ts";
import { parseToolPath } from "#shared/variables/variablePaths.ts";
import { MAX_NEW_KEYS } from "#shared/variables/variableValues.ts";

/**
 * True for a variable whose value the content of a course gets. One that learners do not see is left out where nothing reads it: its
 * definition is archived, or the package sets it with a value of its own, without `Lyceum`.
 */
const isRead = ({ access, learnerVisible, status, path }: CourseVariable) =>
  access !== "write" && (learnerVisible || (status === "active" && path === null));

/** The variables of a course with the values of one learner, for a launch. */
export async function readLaunchVariables(db: Db, origin: Origin & { courseId: string }): Promise<Launch["variables"]> {
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
  const packagePaths = all.flatMap(({ path, access, status }) =>
    path !== null && access !== "read" && status === "active" && parseToolPath(path) ? path : [],
  );
  return { declared, packagePaths: [...new Set(packagePaths)], newKeysLeft: Math.max(0, MAX_NEW_KEYS - newKeys) };
}
