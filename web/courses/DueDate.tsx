import { formatDue } from "#web/core/format/format.ts";
import { useTranslation } from "react-i18next";
import type { Enrolment } from "#shared/courses/enrolments.ts";

/** The due date of an enrolment; red and labelled if overdue. */
export function DueDate({ enrolment: { dueDate, overdue } }: { enrolment: Pick<Enrolment, "dueDate" | "overdue"> }) {
  const { t } = useTranslation();
  if (!dueDate) return <span style={{ color: "var(--mantine-color-dimmed)" }}>–</span>;
  if (!overdue) return <time dateTime={dueDate}>{formatDue(dueDate)}</time>;
  return (
    <time dateTime={dueDate} style={{ color: "var(--ly-bad)", fontWeight: 600 }} title={t("courses.enrolment.overdue")}>
      {formatDue(dueDate)}
      <span className="ly-hidden">, {t("courses.enrolment.overdue")}</span>
    </time>
  );
}
