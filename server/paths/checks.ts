import type { Db } from "#server/core/database/db.ts";
import { badField } from "#server/core/http/problem.ts";
import { readCourses } from "#server/paths/pathRows.ts";
import { findStepProblem, type PathStep, titleOf } from "#shared/paths/steps.ts";

export const readTitles = async (db: Db, steps: PathStep[]) =>
  new Map(
    (
      await readCourses(
        db,
        steps.flatMap((step) => step.courseIds),
      )
    ).map(({ id, title }) => [id, title]),
  );

/**
 * Refuses impossible steps (`findStepProblem`), unknown courses, and archived courses that `known` does not contain.
 */
export async function checkSteps(db: Db, steps: PathStep[], known: PathStep[] = []) {
  const courses = new Map(
    (
      await readCourses(
        db,
        steps.flatMap((step) => step.courseIds),
      )
    ).map((course) => [course.id, course]),
  );
  const titles = new Map([...courses.values()].map(({ id, title }) => [id, title]));
  const problem = findStepProblem(steps);
  if (problem) {
    const [step, other] = problem.steps as [PathStep, PathStep?];
    throw badField("steps", `paths.${problem.code}`, {
      step: titleOf(step, titles),
      other: other ? titleOf(other, titles) : "",
      course:
        step.courseIds.map((id) => (other?.courseIds.includes(id) ? (titles.get(id) ?? "") : "")).find(Boolean) ?? "",
      needed: step.needed,
      offered: step.courseIds.length,
    });
  }
  const before = new Set(known.flatMap((step) => step.courseIds));
  for (const id of steps.flatMap((step) => step.courseIds)) {
    const course = courses.get(id);
    if (!course) throw badField("steps", "paths.goneCourse");
    if (course.status === "archived" && !before.has(id))
      throw badField("steps", "paths.archivedCourse", { course: course.title });
  }
}

/** Refuses to publish a path that has no steps or contains an unpublished course. */
export async function checkPublishable(db: Db, steps: PathStep[]) {
  if (steps.length === 0) throw badField("steps", "paths.noSteps");
  await checkSteps(db, steps);
  const courses = await readCourses(
    db,
    steps.flatMap((step) => step.courseIds),
  );
  const hidden = courses.find(({ status }) => status !== "published");
  if (hidden) throw badField("steps", "paths.hiddenCourse", { course: hidden.title });
}
