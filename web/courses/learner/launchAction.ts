import type { MyCourse } from "#shared/courses/enrolments.ts";

/** What the launch button of a course does; null if the course cannot be opened any more. */
export function launchAction({
  status,
  archived,
  lastActivityAt,
}: Pick<MyCourse, "status" | "archived" | "lastActivityAt">) {
  if (archived) return null;
  if (status === "failed") return "again";
  if (status === "completed") return "review";
  return status === "in_progress" || lastActivityAt ? "continue" : "start";
}
