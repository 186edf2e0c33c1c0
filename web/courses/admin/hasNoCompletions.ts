import type { Course } from "#shared/courses/courses.ts";

/** If this many learners are in progress and none has completed the course, its package or rule may be wrong. */
const MIN_IN_PROGRESS = 5;

export const hasNoCompletions = ({
  status,
  completed,
  inProgress,
}: Pick<Course, "status" | "completed" | "inProgress">) =>
  status === "published" && completed === 0 && inProgress >= MIN_IN_PROGRESS;
