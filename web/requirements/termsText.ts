import type { TFunction } from "i18next";
import type { CountsFrom, RequirementTerms } from "#shared/requirements/requirements.ts";

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

/** One field of the terms, as both admins see it after a conflict. */
export function fieldText(t: TFunction, language: string, field: string, value: unknown): string {
  if (value === null || value === undefined) return field === "months" ? t("requirements.form.always") : "";
  if (field === "countsFrom") return t(`requirements.form.from.${value as CountsFrom}`);
  if (field === "fixedDay") return fixedDayText(value as NonNullable<RequirementTerms["fixedDay"]>, language);
  return String(value as number);
}
