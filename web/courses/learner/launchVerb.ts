import type { MyCourse } from "#shared/courses.ts";

/** The one thing to do with a course now; null when it cannot be opened any more. */
export function launchVerb({
  status,
  archived,
  lastActivityAt,
}: Pick<MyCourse, "status" | "archived" | "lastActivityAt">) {
  if (archived) return null;
  if (status === "failed") return "again";
  if (status === "completed") return "review";
  return status === "in_progress" || lastActivityAt ? "continue" : "start";
}
