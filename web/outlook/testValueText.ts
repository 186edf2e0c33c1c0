import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { PersonTest } from "#shared/conditions/conditions.ts";

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value);

/** What is known of a person where a test is not met: “now: Sales”; null where the test says it all. */
export function testValueText({ kind }: PersonTest, value: string | null): string | null {
  const { t } = i18n;
  if (kind === "group") return null;
  if (value === null) return kind === "course" ? null : t("outlook.rules.noValue");
  if (kind === "status")
    return t("outlook.rules.value", { value: t(`learners.is.${value as "active"}`).toLowerCase() });
  if (kind === "course")
    return t("outlook.rules.value", { value: t(`courses.enrolment.${value as "assigned"}`).toLowerCase() });
  return t("outlook.rules.value", { value: isDay(value) ? formatDate(value) : value });
}
