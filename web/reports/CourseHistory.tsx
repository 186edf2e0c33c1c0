import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { AnswerTable } from "#web/reports/AnswerTable.tsx";
import classes from "#web/reports/CourseHistory.module.css";
import { QuizLimits } from "#web/reports/learner/QuizLimits.tsx";
import { SessionTable } from "#web/reports/SessionTable.tsx";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { LearnerReport } from "#shared/reports/reports.ts";

type Attempt = LearnerReport["attempts"][number];
type Props = {
  enrolmentId: string;
  attempts: Attempt[];
  sessions: LearnerReport["sessions"];
  hidden: MeasuredKind[];
  /** Number of the learner's latest sessions from which these were taken; null if it was all of them. */
  latest: number | null;
};

/** The details of a course in a report: attempts, answers and sessions. */
export function CourseHistory({ enrolmentId, hidden, attempts, sessions, latest }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  if (attempts.length === 0)
    return (
      <div className={classes.history}>
        <p className={classes.none}>{t("reports.history.notStarted")}</p>
        <QuizLimits enrolmentId={enrolmentId} />
      </div>
    );
  return (
    <div className={classes.history}>
      <section>
        <h3 className={classes.title}>{t("reports.history.attempts")}</h3>
        <WideContent label={t("reports.history.attempts")}>
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
              {attempts.map((attempt) => (
                <Table.Tr key={attempt.id}>
                  <Table.Td>{attempt.no}</Table.Td>
                  <Table.Td>{attempt.version}</Table.Td>
                  <Table.Td>
                    <AttemptState attempt={attempt} />
                  </Table.Td>
                  <Table.Td ta="right">{formatPercent(attempt.scorePercent)}</Table.Td>
                  <Table.Td>{times.dateTime(attempt.startedAt)}</Table.Td>
                  <Table.Td>{attempt.completedAt ? times.dateTime(attempt.completedAt) : "–"}</Table.Td>
                  <Table.Td ta="right">{formatDuration(attempt.activeSeconds)}</Table.Td>
                  <Table.Td ta="right">{formatDuration(attempt.reportedSeconds)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideContent>
      </section>
      <QuizLimits enrolmentId={enrolmentId} />
      <section>
        <h3 className={classes.title}>{t("reports.history.answers")}</h3>
        <AnswerTable enrolmentId={enrolmentId} attempts={attempts} />
      </section>
      <section>
        <h3 className={classes.title}>{t("reports.learner.sessions")}</h3>
        {hidden.includes("lastActivity") ? (
          <p className={classes.none}>{t("measures.notShownHere")}</p>
        ) : (
          <SessionTable sessions={sessions} total={sessions.length} hidden={hidden} />
        )}
        {latest !== null && <p className={classes.none}>{t("reports.sessions.amongLatest", { count: latest })}</p>}
      </section>
    </div>
  );
}

function AttemptState({ attempt: { completion, success, setByAdmin } }: { attempt: Attempt }) {
  const { t } = useTranslation();
  if (success === "failed" && completion !== "complete")
    return <StatusDot tone="bad">{t("courses.enrolment.failed")}</StatusDot>;
  if (completion === "complete") {
    const status = t(success === "passed" ? "courses.enrolment.passed" : "courses.enrolment.completed");
    return <StatusDot tone="ok">{setByAdmin ? t("courses.enrolment.setByAdmin", { status }) : status}</StatusDot>;
  }
  return <StatusDot tone="active">{t("courses.enrolment.in_progress")}</StatusDot>;
}
