import texts from "#shared/locales/en/courses.json" with { type: "json" };
import type { Enrolment } from "#shared/courses/enrolments.ts";
import { fillText } from "#shared/variables/templates.ts";

/** The fields that determine the status of an assignment. */
export type AssignmentStatus = Pick<Enrolment, "status" | "success" | "overdue"> & {
  setByAdmin?: boolean | undefined;
};

/** The key of a status in `courses.enrolment`; a completed course with a pass is `passed`. */
export const statusWord = ({ status, success }: Pick<AssignmentStatus, "status" | "success">) =>
  status === "completed" && success === "passed" ? "passed" : status;

/** The status in files and documents, such as `Passed` or `In progress, overdue`. */
export function statusText(row: AssignmentStatus) {
  const status = texts.enrolment[statusWord(row)];
  if (row.setByAdmin && row.status === "completed") return fillText(texts.enrolment.setByAdmin, { status });
  return row.overdue ? fillText(texts.enrolment.andOverdue, { status }) : status;
}
