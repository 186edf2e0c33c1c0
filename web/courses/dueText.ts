import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { Due } from "#shared/enrolmentRules/due.ts";

/** When courses of a rule are due: "14 days after joining". */
export function dueText(due: Due) {
  const { t } = i18n;
  if (due.kind === "none") return t("enrolmentRules.due.none");
  if (due.kind === "day") return t("enrolmentRules.due.day", { day: formatDate(due.day) });
  return t(`enrolmentRules.due.${due.kind}`, { count: due.days });
}
