import type { Course } from "#shared/courses.ts";

/** So many learners have begun and nobody got through: the package or its rule needs a look. */
const STUCK = 5;

export const nobodyCompletes = ({
  status,
  completed,
  inProgress,
}: Pick<Course, "status" | "completed" | "inProgress">) =>
  status === "published" && completed === 0 && inProgress >= STUCK;
