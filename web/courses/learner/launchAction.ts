import type { MyCourse } from "#shared/courses/enrolments.ts";

/** What the launch button of a course does; null if the course cannot be opened any more. */
export function launchAction({
  status,
  archived,
  lastActivityAt,
  isRenewal,
}: Pick<MyCourse, "status" | "archived" | "lastActivityAt" | "isRenewal">) {
  if (archived) return null;
  if (status === "failed") return "again";
  if (status === "completed") return "review";
  return status === "in_progress" || (lastActivityAt && !isRenewal) ? "continue" : "start";
}
