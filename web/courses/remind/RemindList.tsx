import { useTranslation } from "react-i18next";
import { formatAgoInText, formatDue, formatNumber } from "#web/core/format/format.ts";
import classes from "#web/courses/remind/RemindDialog.module.css";
import type { LeftOutReason, OverdueRow } from "#shared/courses/reminders.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

type Row = OverdueRow & { reason?: LeftOutReason };
type Props = { rows: Row[]; total: number; label: string };

/** Overdue people with course and due date, and their last reminder or why they are left out. */
export function RemindList({ rows, total, label }: Props) {
  const { t } = useTranslation();
  const noteOf = ({ reason, remindedAt }: Row) => {
    if (reason && reason !== "reminded") return t(`courses.remind.reasons.${reason}`);
    return remindedAt && t("courses.remind.last", { when: formatAgoInText(remindedAt) });
  };
  const rest = total - rows.length;
  return (
    // Focusable, so that the keyboard can scroll it.
    <ul className={classes.list} aria-label={label} tabIndex={rows.length > 4 ? 0 : undefined}>
      {rows.map((row) => {
        const note = noteOf(row);
        return (
          <li key={row.id} className={classes.row}>
            <span className={classes.person}>
              <span className={classes.name}>{nameOf(row)}</span>
              {row.name && <span className={classes.minor}>{contactOf(row)}</span>}
            </span>
            <span className={classes.course}>
              <span>{row.course}</span>
              <span className={classes.minor}>
                {t("courses.remind.due", { day: formatDue(row.dueDate) })}
                {note && `, ${note}`}
              </span>
            </span>
          </li>
        );
      })}
      {rest > 0 && <li className={classes.rest}>{t("courses.remind.more", { count: rest, n: formatNumber(rest) })}</li>}
    </ul>
  );
}
