import { saveCsv } from "#web/core/table/csv.ts";
import { share } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { CompanyRow } from "#shared/companies.ts";

/** Saves companies as CSV; percentages and minutes as plain numbers. */
export function exportCompanies(rows: CompanyRow[]) {
  const { t } = i18n;
  const head = [
    t("companies.company"),
    t("companies.status"),
    t("companies.code"),
    t("companies.learners"),
    t("companies.limit"),
    t("companies.csv.invited"),
    t("companies.courses"),
    t("companies.csv.assigned"),
    t("companies.csv.completed"),
    t("companies.csv.completedPercent"),
    t("companies.overdue"),
    t("companies.csv.activeMinutes"),
    t("companies.lastActivity"),
    t("companies.contactName"),
    t("companies.contactEmail"),
    t("companies.timezone"),
  ];
  saveCsv(
    "companies",
    head,
    rows.map((row) => {
      const percent = share(row.completed, row.assigned);
      return [
        row.name,
        t(`companies.is.${row.status}`),
        row.accessCode,
        row.learners,
        row.learnerLimit,
        row.invited,
        row.courses,
        row.assigned,
        row.completed,
        percent === null ? null : Math.round(percent),
        row.overdue,
        Math.round(row.activeSeconds / 60),
        row.lastActivity,
        row.contactName,
        row.contactEmail,
        row.timezone,
      ];
    }),
  );
}
