import { saveCsv } from "#web/core/table/csv.ts";
import { i18n } from "#web/core/i18n.ts";
import type { Learner } from "#shared/learners.ts";

/** Saves learners as CSV; times in UTC, minutes as plain numbers. */
export function exportLearners(rows: Learner[]) {
  const { t } = i18n;
  const head = [
    t("learners.name"),
    t("learners.email"),
    t("learners.company"),
    t("learners.status"),
    t("learners.suspend.reason"),
    t("learners.csv.assigned"),
    t("learners.completed"),
    t("learners.overdue"),
    t("learners.meanScore"),
    t("learners.csv.activeMinutes"),
    t("learners.lastActive"),
    t("learners.csv.invited"),
    t("learners.csv.joined"),
  ];
  saveCsv(
    "learners",
    head,
    rows.map((row) => [
      row.name,
      row.email,
      row.company,
      t(`learners.is.${row.status}`),
      row.suspendedReason,
      row.assigned,
      row.completed,
      row.overdue,
      row.meanScore,
      Math.round(row.activeSeconds / 60),
      row.lastActive,
      row.invitedAt,
      row.createdAt,
    ]),
  );
}
