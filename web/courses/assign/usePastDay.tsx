import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/assign/PastDayQuestion.module.css";
import { daysUntil } from "#web/courses/daysUntil.ts";
import { formatDate } from "#web/core/format/format.ts";

/**
 * Asks before a due date in the past is saved. Render `question` below the date field and call `confirm()` on submit:
 * it returns false and highlights the question until the person has confirmed exactly this day.
 */
export function usePastDay(day: string | null) {
  const { t } = useTranslation();
  const [agreedTo, setAgreedTo] = useState<string | null>(null);
  const [askedDay, setAskedDay] = useState<string | null>(null);
  const isPast = day !== null && daysUntil(day) < 0;
  const isAgreed = !isPast || agreedTo === day;
  return {
    confirm: () => {
      setAskedDay(day);
      return isAgreed;
    },
    question: isPast && (
      <div className={classes.question} role="group" aria-label={t("courses.due.pastTitle", { day: formatDate(day) })}>
        <p>
          <strong>{t("courses.due.pastTitle", { day: formatDate(day) })}</strong> {t("courses.due.pastText")}
        </p>
        <Checkbox
          label={t("courses.due.usePast", { day: formatDate(day) })}
          checked={isAgreed}
          error={!isAgreed && askedDay === day && t("courses.due.confirmPast")}
          onChange={(event) => setAgreedTo(event.currentTarget.checked ? day : null)}
        />
      </div>
    ),
  };
}
