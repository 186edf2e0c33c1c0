import { fetchAllRows, saveCsv } from "#web/core/table/csv.ts";
import { i18n } from "#web/core/i18n.ts";
import { statusText } from "#shared/courses/assignmentStatus.ts";
import { courses } from "#shared/courses/courses.ts";

/** Exports all enrolments of the filtered list as CSV: times in UTC, durations in seconds. */
export async function exportEnrolments(code: string, query: Record<string, string>) {
  const { t } = i18n;
  saveCsv(`${code}-learners`, await fetchAllRows(courses.enrolments, query), [
    [t("courses.enrolment.csv.name"), (row) => row.name],
    [t("courses.enrolment.csv.email"), (row) => row.email],
    [t("courses.enrolment.csv.company"), (row) => row.company],
    [t("courses.enrolment.csv.status"), statusText],
    [t("courses.enrolment.csv.success"), (row) => row.success],
    [t("courses.enrolment.csv.progress"), (row) => row.progress],
    [t("courses.enrolment.csv.score"), (row) => row.scorePercent],
    [t("courses.enrolment.csv.attempts"), (row) => row.attempts],
    [t("courses.enrolment.csv.active"), (row) => row.activeSeconds],
    [t("courses.enrolment.csv.reported"), (row) => row.reportedSeconds],
    [t("courses.enrolment.csv.due"), (row) => row.dueDate],
    [t("courses.enrolment.csv.overdue"), (row) => row.overdue],
    [t("courses.enrolment.csv.assigned"), (row) => row.assignedAt],
    [t("courses.enrolment.csv.started"), (row) => row.startedAt],
    [t("courses.enrolment.csv.completed"), (row) => row.completedAt],
    [t("courses.enrolment.csv.last"), (row) => row.lastActivityAt],
  ]);
}
