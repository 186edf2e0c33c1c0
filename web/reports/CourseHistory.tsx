import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AnswerTable } from "#web/reports/AnswerTable.tsx";
import classes from "#web/reports/CourseHistory.module.css";
import { SessionTable } from "#web/reports/SessionTable.tsx";
import { formatDateTime, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { Enrolment } from "#shared/courses.ts";
import type { LearnerReport } from "#shared/reports.ts";

type Attempt = LearnerReport["attempts"][number];
type Props = { enrolment: Enrolment; attempts: Attempt[]; sessions: LearnerReport["sessions"] };

/** What lies behind one course of a report: attempts, answers, sessions. */
export function CourseHistory({ enrolment, attempts, sessions }: Props) {
  const { t } = useTranslation();
  if (attempts.length === 0) return <p className={classes.none}>{t("reports.history.notStarted")}</p>;
  return (
    <div className={classes.history}>
      <section>
        <h3 className={classes.title}>{t("reports.history.attempts")}</h3>
        <div className={classes.scroll} tabIndex={0} role="group" aria-label={t("reports.history.attempts")}>
          <Table highlightOnHover={false} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("reports.history.no")}</Table.Th>
                <Table.Th>{t("reports.history.version")}</Table.Th>
                <Table.Th>{t("reports.courses.status")}</Table.Th>
                <Table.Th ta="right">{t("reports.courses.score")}</Table.Th>
                <Table.Th>{t("reports.history.started")}</Table.Th>
                <Table.Th>{t("reports.history.completed")}</Table.Th>
                <Table.Th ta="right">{t("reports.courses.active")}</Table.Th>
                <Table.Th ta="right">{t("reports.courses.reported")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempts.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td>{one.no}</Table.Td>
                  <Table.Td>{one.version}</Table.Td>
                  <Table.Td>
                    <AttemptState attempt={one} />
                  </Table.Td>
                  <Table.Td ta="right">{formatPercent(one.scorePercent)}</Table.Td>
                  <Table.Td>{formatDateTime(one.startedAt)}</Table.Td>
                  <Table.Td>{one.completedAt ? formatDateTime(one.completedAt) : "–"}</Table.Td>
                  <Table.Td ta="right">{formatDuration(one.activeSeconds)}</Table.Td>
                  <Table.Td ta="right">{formatDuration(one.reportedSeconds)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </section>
      <section>
        <h3 className={classes.title}>{t("reports.history.answers")}</h3>
        <AnswerTable enrolmentId={enrolment.id} attempts={attempts} />
      </section>
      <section>
        <h3 className={classes.title}>{t("reports.learner.sessions")}</h3>
        <SessionTable sessions={sessions} total={sessions.length} />
      </section>
    </div>
  );
}

function AttemptState({ attempt: { completion, success } }: { attempt: Attempt }) {
  const { t } = useTranslation();
  if (success === "failed" && completion !== "complete")
    return <StatusDot tone="bad">{t("courses.enrolment.failed")}</StatusDot>;
  if (completion === "complete")
    return (
      <StatusDot tone="ok">
        {t(success === "passed" ? "courses.enrolment.passed" : "courses.enrolment.completed")}
      </StatusDot>
    );
  return <StatusDot tone="active">{t("courses.enrolment.in_progress")}</StatusDot>;
}
