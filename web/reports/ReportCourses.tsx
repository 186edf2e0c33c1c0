import { Table, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { CourseHistory } from "#web/reports/CourseHistory.tsx";
import classes from "#web/reports/ReportCourses.module.css";
import { WhyButton } from "#web/courses/completion/WhyButton.tsx";
import { useCompletionDrawer } from "#web/courses/completion/useCompletionDrawer.ts";
import { DueDate } from "#web/courses/DueDate.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import { formatDate, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { ReplayLink } from "#web/reports/ReplayLink.tsx";
import { replayPath } from "#web/core/format/replayPath.ts";
import { useUser } from "#web/core/session/session.tsx";
import type { LearnerReport } from "#shared/reports/reports.ts";
import { isAdmin } from "#shared/core/users.ts";
import type { Enrolment } from "#shared/courses/enrolments.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";

const COLUMNS = 9;

type Row = Pick<Enrolment, "id" | "status" | "success" | "dueDate" | "overdue" | "setByAdmin"> &
  Pick<ReportRow, "course" | "progress" | "scorePercent" | "attempts" | "activeSeconds"> &
  Pick<ReportRow, "lastActivityAt" | "completedAt"> &
  Partial<Pick<ReportRow, "sessionId" | "t">>;
type Props = Pick<LearnerReport, "learner" | "attempts" | "sessions" | "summary"> & { rows: Row[] };

/** The courses of a learner, each expandable to its attempts, answers and sessions. */
export function ReportCourses({ rows, learner, attempts, sessions, summary }: Props) {
  const { t } = useTranslation();
  const canReplay = isAdmin(useUser());
  const completion = useCompletionDrawer();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((before) =>
      before.has(id) ? new Set([...before].filter((openId) => openId !== id)) : new Set([...before, id]),
    );
  const renderDuration = (seconds: number | null) => (seconds ? formatDuration(seconds) : <Num value={null} />);

  return (
    <Table className={classes.courses} highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("reports.courses.course")}</Table.Th>
          <Table.Th>{t("reports.courses.status")}</Table.Th>
          <Table.Th className={classes.wide}>{t("reports.courses.progress")}</Table.Th>
          <Table.Th ta="right">{t("reports.courses.score")}</Table.Th>
          <Table.Th ta="right" className={classes.wide}>
            {t("reports.courses.attempts")}
          </Table.Th>
          <Table.Th ta="right" className={classes.wide}>
            {t("reports.courses.active")}
          </Table.Th>
          <Table.Th>{t("reports.courses.due")}</Table.Th>
          <Table.Th className={classes.last}>{t("reports.courses.last")}</Table.Th>
          {canReplay && (
            <Table.Th className={classes.replay}>
              <span className="ly-hidden">{t("replay.link")}</span>
            </Table.Th>
          )}
          <Table.Th className={classes.paper}>{t("reports.courses.completedOn")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => {
          const isOpen = open.has(row.id);
          return (
            <Fragment key={row.id}>
              <Table.Tr data-open={isOpen || undefined}>
                <Table.Td className={classes.name}>
                  <UnstyledButton
                    id={`course-${row.id}`}
                    className={classes.toggle}
                    aria-expanded={isOpen}
                    onClick={() => toggle(row.id)}
                  >
                    <IconChevronRight size={16} stroke={1.8} aria-hidden />
                    {row.course ?? "–"}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>
                  <EnrolmentStatus enrolment={row} />
                  {canReplay && row.status !== "withdrawn" && (
                    <WhyButton
                      isComplete={row.status === "completed"}
                      describedBy={`course-${row.id}`}
                      onClick={() => completion.open(row.id)}
                    />
                  )}
                </Table.Td>
                <Table.Td className={classes.wide}>
                  <Meter percent={row.progress} />
                </Table.Td>
                <Table.Td ta="right">
                  {row.scorePercent === null ? <Num value={null} /> : formatPercent(row.scorePercent)}
                </Table.Td>
                <Table.Td ta="right" className={classes.wide}>
                  <Num value={row.attempts} />
                </Table.Td>
                <Table.Td ta="right" className={classes.wide}>
                  {renderDuration(row.activeSeconds)}
                </Table.Td>
                <Table.Td>
                  <DueDate enrolment={row} />
                </Table.Td>
                <Table.Td className={classes.last}>
                  <Time at={row.lastActivityAt} />
                </Table.Td>
                {canReplay && (
                  <Table.Td className={classes.replay}>
                    {row.sessionId && (
                      <ReplayLink to={replayPath(row.sessionId, row.t ?? null)} t={row.t ?? null} name={row.course} />
                    )}
                  </Table.Td>
                )}
                <Table.Td className={classes.paper}>{row.completedAt ? formatDate(row.completedAt) : "–"}</Table.Td>
              </Table.Tr>
              {isOpen && (
                <Table.Tr className={classes.history}>
                  <Table.Td colSpan={COLUMNS}>
                    <CourseHistory
                      enrolmentId={row.id}
                      hidden={learner.hidden}
                      attempts={attempts.filter(({ enrolmentId }) => enrolmentId === row.id)}
                      sessions={sessions.filter(({ enrolmentId }) => enrolmentId === row.id)}
                      latest={(summary.sessions ?? 0) > sessions.length ? sessions.length : null}
                    />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
