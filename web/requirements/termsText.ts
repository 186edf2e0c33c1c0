import type { TFunction } from "i18next";
import type { RequirementTerms } from "#shared/requirements/requirements.ts";

/** A day of every year: "31 March". */
export const fixedDayText = ({ month, day }: { month: number; day: number }, language: string) =>
  new Intl.DateTimeFormat(language, { day: "numeric", month: "long", timeZone: "UTC" }).format(
    // A leap year, which has all days; a month without the day has its last one.
    new Date(Date.UTC(2028, month - 1, Math.min(day, new Date(Date.UTC(2028, month, 0)).getUTCDate()))),
  );

/** "12 months, from the completion" */
export function termsText(t: TFunction, language: string, { months, countsFrom, fixedDay }: RequirementTerms) {
  if (months === null) return t("requirements.noEnd");
  const from =
    countsFrom === "day" && fixedDay
      ? t("requirements.from.day", { day: fixedDayText(fixedDay, language) })
      : t(`requirements.from.${countsFrom}`);
  return `${t("requirements.months", { count: months })}, ${from}`;
}
