import { useTranslation } from "react-i18next";

/** What screen readers call the buttons of a calendar. */
export function useCalendarLabels() {
  const { t } = useTranslation();
  return {
    previousMonth: t("web.calendar.previousMonth"),
    nextMonth: t("web.calendar.nextMonth"),
    previousYear: t("web.calendar.previousYear"),
    nextYear: t("web.calendar.nextYear"),
    previousDecade: t("web.calendar.previousYears"),
    nextDecade: t("web.calendar.nextYears"),
    monthLevelControl: t("web.calendar.chooseMonth"),
    yearLevelControl: t("web.calendar.chooseYear"),
  };
}
