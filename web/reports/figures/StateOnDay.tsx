import { useTranslation } from "react-i18next";
import { formatDue, formatPercent } from "#web/core/format/format.ts";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import type { ChangedRow } from "#shared/reports/reportRows.ts";

/** An assignment as it was on one day: status, score and due date. */
export function StateOnDay({ state }: { state: ChangedRow["before"] }) {
  const { t } = useTranslation();
  if (!state)
    return <span style={{ color: "var(--mantine-color-dimmed)" }}>{t("reports.report.changes.notCounted")}</span>;
  const details = [
    state.scorePercent === null ? "" : formatPercent(state.scorePercent),
    state.dueDate ? t("reports.report.changes.due", { day: formatDue(state.dueDate) }) : "",
  ].filter(Boolean);
  return (
    <span>
      <EnrolmentStatus enrolment={state} />
      {details.length > 0 && (
        <span style={{ display: "block", fontSize: 13, color: "var(--mantine-color-dimmed)" }}>
          {details.join(" · ")}
        </span>
      )}
    </span>
  );
}
