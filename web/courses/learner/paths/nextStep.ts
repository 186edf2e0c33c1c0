import type { MyPath, MyPathCourse, MyPathStep } from "#shared/paths/myPaths.ts";

export type NextStep = { step: MyPathStep; course: MyPathCourse };

const isOpen = ({ status }: MyPathCourse) => status !== null && status !== "completed";

/** The course to take next: one that was begun, otherwise the first of the open step that is due first. */
export function findNext({ steps }: MyPath): NextStep | null {
  const open = steps
    .filter(({ state }) => state === "open")
    .toSorted((a, b) => (a.dueDate ?? "9999").localeCompare(b.dueDate ?? "9999"));
  const candidates = open.flatMap((step) => step.courses.filter(isOpen).map((course) => ({ step, course })));
  return candidates.find(({ course }) => course.status !== "assigned") ?? candidates[0] ?? null;
}

/** The path that a course of the learner is a step of: an open one before one that is complete. */
export const pathOf = (paths: MyPath[], courseId: string) =>
  paths.find(({ steps }) => steps.some((step) => step.courses.some((course) => course.courseId === courseId)));
