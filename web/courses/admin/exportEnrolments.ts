import { fetchAllRows, saveCsv } from "#web/core/table/csv.ts";
import { i18n } from "#web/core/i18n.ts";
import { courses } from "#shared/courses.ts";

const columns = [
  "name",
  "email",
  "company",
  "status",
  "success",
  "progress",
  "score",
  "attempts",
  "active",
  "reported",
  "due",
  "overdue",
  "assigned",
  "started",
  "completed",
  "last",
] as const;

/** Exports all enrolments of the filtered list as CSV: times in UTC, durations in seconds. */
export async function exportEnrolments(code: string, query: Record<string, string>) {
  const rows = await fetchAllRows(courses.enrolments, query);
  saveCsv(
    `${code}-learners`,
    columns.map((key) => i18n.t(`courses.enrolment.csv.${key}`)),
    rows.map((row) => [
      row.name,
      row.email,
      row.company,
      i18n.t(`courses.enrolment.${row.status}`),
      row.success,
      row.progress,
      row.scorePercent,
      row.attempts,
      row.activeSeconds,
      row.reportedSeconds,
      row.dueDate,
      row.overdue,
      row.assignedAt,
      row.startedAt,
      row.completedAt,
      row.lastActivityAt,
    ]),
  );
}
