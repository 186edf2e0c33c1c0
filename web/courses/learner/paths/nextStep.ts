import type { MyPath, MyPathCourse, MyPathStep } from "#shared/paths/myPaths.ts";

export type NextStep = { step: MyPathStep; course: MyPathCourse };

const isOpen = ({ status }: MyPathCourse) => status !== null && status !== "completed";

/** The course to take next: one in progress, otherwise the first course of the open step that is due first. */
export function findNext({ steps }: MyPath): NextStep | null {
  const open = steps
    .filter(({ state }) => state === "open")
    .toSorted((a, b) => (a.dueDate ?? "9999").localeCompare(b.dueDate ?? "9999"));
  const candidates = open.flatMap((step) => step.courses.filter(isOpen).map((course) => ({ step, course })));
  return candidates.find(({ course }) => course.status !== "assigned") ?? candidates[0] ?? null;
}

/** Enough courses of an open step are completed: a job, which takes about a second, will say so. */
export const isBeingComputed = ({ steps }: MyPath) =>
  steps.some(
    ({ state, needed, courses }) =>
      state === "open" && courses.filter(({ status }) => status === "completed").length >= needed,
  );

/** The learner's path that contains a course; an incomplete path comes before a completed one. */
export const pathOf = (paths: MyPath[], courseId: string) =>
  paths.find(({ steps }) => steps.some((step) => step.courses.some((course) => course.courseId === courseId)));
