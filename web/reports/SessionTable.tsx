import { Button, Table } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/reports/CourseHistory.module.css";
import { useSessionLink } from "#web/reports/useSessionLink.ts";
import { formatDateTime, formatDuration } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { useUser } from "#web/core/session/session.tsx";
import { Num } from "#web/core/display/Num.tsx";
import type { LearnerReport } from "#shared/reports.ts";
import { isAdmin } from "#shared/users.ts";

type Session = LearnerReport["sessions"][number];
type Props = {
  sessions: Session[];
  /** Number of all sessions; the report contains only the latest 500. */
  total: number;
  withCourse?: boolean;
};

const INITIALLY_SHOWN = 10;

/** The sessions of a learner, newest first, with links to their timelines. */
export function SessionTable({ sessions, total, withCourse }: Props) {
  const { t } = useTranslation();
  const linkTo = useSessionLink();
  const admin = isAdmin(useUser());
  const [all, setAll] = useState(false);
  if (sessions.length === 0) return <p className={classes.none}>{t("reports.sessions.none")}</p>;
  const shown = all ? sessions : sessions.slice(0, INITIALLY_SHOWN);
  return (
    <div id={withCourse ? "sessions" : undefined}>
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t("reports.learner.sessions")}>
        <Table highlightOnHover={false} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("reports.sessions.start")}</Table.Th>
              {withCourse && <Table.Th>{t("reports.courses.course")}</Table.Th>}
              <Table.Th>{t("reports.sessions.device")}</Table.Th>
              <Table.Th ta="right">{t("reports.courses.active")}</Table.Th>
              <Table.Th ta="right">{t("reports.sessions.events")}</Table.Th>
              <Table.Th ta="right">{t("reports.sessions.failed")}</Table.Th>
              <Table.Th>{t("reports.sessions.end")}</Table.Th>
              {admin && (
                <Table.Th>
                  <span className="ly-hidden">{t("replay.link")}</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Table.Tr key={row.id}>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  <Link to={linkTo(row.id)} preventScrollReset className={classes.open}>
                    {formatDateTime(row.startedAt)}
                    {!withCourse || <span className="ly-hidden">, {row.course}</span>}
                  </Link>
                </Table.Td>
                {withCourse && (
                  <Table.Td>
                    <div className={classes.words}>{row.course}</div>
                  </Table.Td>
                )}
                <Table.Td style={{ whiteSpace: "nowrap" }}>{row.device}</Table.Td>
                <Table.Td ta="right">
                  {row.activeSeconds > 0 ? formatDuration(row.activeSeconds) : <Num value={null} />}
                </Table.Td>
                <Table.Td ta="right">
                  <Num value={row.events} />
                </Table.Td>
                <Table.Td ta="right">
                  <Num value={row.failedCommits} bad={row.failedCommits >= 3} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  {row.endedAt
                    ? t(`reports.endReasons.${row.endReason as "exit"}`, {
                        defaultValue: t("reports.endReasons.unknown"),
                      })
                    : t("reports.endReasons.live")}
                </Table.Td>
                {admin && (
                  <Table.Td>
                    <Link to={replayPath(row.id)} className={classes.open}>
                      {t("replay.link")}
                      <span className="ly-hidden">: {formatDateTime(row.startedAt)}</span>
                    </Link>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {sessions.length > shown.length && (
        <Button variant="subtle" size="xs" className={classes.more} onClick={() => setAll(true)}>
          {t("reports.sessions.all", { count: sessions.length })}
        </Button>
      )}
      {all && total > sessions.length && (
        <p className={classes.none}>{t("reports.sessions.latest", { count: sessions.length })}</p>
      )}
    </div>
  );
}
