import { minutesOf } from "#shared/core/dates.ts";
import { saveCsv } from "#web/core/table/csv.ts";

import { i18n } from "#web/core/i18n.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

const completedPercent = (row: CompanyRow) => {
  const percent = shareOf(row.completed, row.assigned);
  return percent === null ? null : roundPercent(percent);
};

/** Saves companies as CSV; percentages and minutes as plain numbers. */
export function exportCompanies(rows: CompanyRow[]) {
  const { t } = i18n;
  saveCsv("companies", rows, [
    [t("companies.company"), (row) => row.name],
    [t("companies.status"), (row) => t(`companies.is.${row.status}`)],
    [t("companies.code"), (row) => row.accessCode],
    [t("companies.learners"), (row) => row.learners],
    [t("companies.seats"), (row) => row.seats],
    [t("companies.limit"), (row) => row.learnerLimit],
    [t("companies.csv.invited"), (row) => row.invited],
    [t("companies.courses"), (row) => row.courses],
    [t("companies.csv.assigned"), (row) => row.assigned],
    [t("companies.csv.completed"), (row) => row.completed],
    [t("companies.csv.completedPercent"), completedPercent],
    [t("companies.overdue"), (row) => row.overdue],
    [t("companies.csv.activeMinutes"), (row) => minutesOf(row.activeSeconds)],
    [t("companies.lastActivity"), (row) => row.lastActivity],
    [t("companies.contactName"), (row) => row.contactName],
    [t("companies.contactEmail"), (row) => row.contactEmail],
    [t("companies.timezone"), (row) => row.timezone],
  ]);
}
