import type { MyCourse } from "#shared/courses/enrolments.ts";

// Which of their courses a learner takes next, and how long it takes

/** Of the courses in progress the one that was used last. */
export const findStarted = <C extends Pick<MyCourse, "status" | "archived" | "lastActivityAt">>(courses: C[]) =>
  courses
    .filter(({ status, archived, lastActivityAt }) => status === "in_progress" && !archived && lastActivityAt)
    .toSorted((a, b) => (b.lastActivityAt ?? "").localeCompare(a.lastActivityAt ?? ""))[0] ?? null;

type Assigned = Pick<MyCourse, "status" | "archived" | "lastActivityAt" | "dueDate" | "exemptUntil" | "title"> & {
  assignedAt: string;
};

export const isOpen = ({ status, archived }: Pick<MyCourse, "status" | "archived">) =>
  !archived && status !== "completed" && status !== "withdrawn";

/**
 * The course in progress that was used last, otherwise the one that is due first, otherwise the oldest assigned.
 * Courses from which the person is exempt come last.
 */
export const findNext = <C extends Assigned>(courses: C[]) =>
  findStarted(courses) ??
  courses
    .filter(isOpen)
    .toSorted(
      (a, b) =>
        Number(a.exemptUntil !== null) - Number(b.exemptUntil !== null) ||
        (a.dueDate ?? "9999").localeCompare(b.dueDate ?? "9999") ||
        a.assignedAt.localeCompare(b.assignedAt) ||
        a.title.localeCompare(b.title),
    )[0] ??
  null;

/** Minutes that a course still takes, if all of its parts take the same time; null if its duration is unknown. */
export function minutesLeft({
  minutes,
  parts,
  partsDone,
  status,
}: Pick<MyCourse, "minutes" | "parts" | "partsDone" | "status">) {
  // Who has failed starts again.
  if (!minutes || parts <= 1 || status === "failed") return minutes;
  return Math.max(1, Math.round(minutes * (1 - partsDone / parts)));
}
