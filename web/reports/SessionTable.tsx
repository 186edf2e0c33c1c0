import { Button, Table } from "@mantine/core";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import classes from "#web/reports/CourseHistory.module.css";
import { useSessionLink } from "#web/reports/useSessionLink.ts";
import { formatDuration } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { useUser } from "#web/core/session/session.tsx";
import { Num } from "#web/core/display/Num.tsx";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { LearnerReport } from "#shared/reports/reports.ts";
import { isAdmin } from "#shared/core/users.ts";

type Session = LearnerReport["sessions"][number];
type Props = {
  sessions: Session[];
  /** Number of all sessions; the report contains only the latest 500. */
  total: number;
  withCourse?: boolean;
  /** What the company shows to nobody but the learner. */
  hidden: MeasuredKind[];
};

const INITIALLY_SHOWN = 10;

/** How a session ended, and how many saves failed in it, if any did. */
function endingOf({ endedAt, endReason, failedCommits }: Session, t: TFunction) {
  // The time of the end can be hidden.
  const ending =
    (endedAt ?? endReason)
      ? t(`reports.endReasons.${endReason as "exit"}`, { defaultValue: t("reports.endReasons.unknown") })
      : t("reports.endReasons.live");
  return failedCommits > 0 ? `${ending}, ${t("reports.sessions.failedSaves", { count: failedCommits })}` : ending;
}

/** A link to the timeline of a session. Its accessible name includes the course where no column does. */
function SessionLink({ session, withCourse, isOpen }: { session: Session; withCourse: boolean; isOpen: boolean }) {
  const linkTo = useSessionLink();
  const times = useTimes();
  if (!isOpen) return times.dateTime(session.startedAt);
  return (
    <Link to={linkTo(session.id)} preventScrollReset className={classes.open}>
      {times.dateTime(session.startedAt)}
      {!withCourse && <span className="ly-hidden">, {session.course}</span>}
    </Link>
  );
}

function ReplayLink({ session }: { session: Session }) {
  const { t } = useTranslation();
  const times = useTimes();
  return (
    <Link to={replayPath(session.id)} className={classes.open}>
      {t("replay.link")}
      <span className="ly-hidden">: {times.dateTime(session.startedAt)}</span>
    </Link>
  );
}

/** On a phone: each session in a few lines, without scrolling sideways. */
type RowsProps = { sessions: Session[]; withCourse: boolean; isOpen: boolean };
function SessionRows({ sessions, withCourse, isOpen }: RowsProps) {
  const { t } = useTranslation();
  const admin = isAdmin(useUser());
  return (
    <ul className={classes.rows}>
      {sessions.map((row) => (
        <li key={row.id}>
          <div>
            <SessionLink session={row} withCourse={withCourse} isOpen={isOpen} />
            {withCourse && <span>{row.course}</span>}
            <span className={classes.none}>
              {row.device}, {endingOf(row, t)}
            </span>
          </div>
          <div>
            {row.activeSeconds ? formatDuration(row.activeSeconds) : <Num value={null} />}
            {admin && isOpen && <ReplayLink session={row} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The sessions of a learner, newest first, with links to their timelines. */
export function SessionTable({ sessions, total, withCourse = false, hidden }: Props) {
  const isOpen = !hidden.includes("replay");
  const { t } = useTranslation();
  const admin = isAdmin(useUser());
  const isPhone = useIsPhone();
  const [all, setAll] = useState(false);
  if (sessions.length === 0) return <p className={classes.none}>{t("reports.sessions.none")}</p>;
  const shown = all ? sessions : sessions.slice(0, INITIALLY_SHOWN);
  return (
    <div id={withCourse ? "sessions" : undefined}>
      {isPhone ? (
        <SessionRows sessions={shown} withCourse={withCourse} isOpen={isOpen} />
      ) : (
        <WideContent label={t("reports.learner.sessions")}>
          <Table highlightOnHover={false} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("reports.sessions.start")}</Table.Th>
                {withCourse && <Table.Th>{t("reports.courses.course")}</Table.Th>}
                <Table.Th>{t("reports.sessions.device")}</Table.Th>
                <Table.Th ta="right">{t("reports.courses.active")}</Table.Th>
                <Table.Th>{t("reports.sessions.end")}</Table.Th>
                {admin && isOpen && (
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
                    <SessionLink session={row} withCourse={withCourse} isOpen={isOpen} />
                  </Table.Td>
                  {withCourse && (
                    <Table.Td>
                      <div className={classes.words}>{row.course}</div>
                    </Table.Td>
                  )}
                  <Table.Td style={{ whiteSpace: "nowrap" }}>{row.device}</Table.Td>
                  <Table.Td ta="right">
                    {row.activeSeconds ? formatDuration(row.activeSeconds) : <Num value={null} />}
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: "nowrap" }}>{endingOf(row, t)}</Table.Td>
                  {admin && isOpen && (
                    <Table.Td>
                      <ReplayLink session={row} />
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideContent>
      )}
      {sessions.length > shown.length && (
        <Button variant="subtle" size="xs" className={classes.more} onClick={() => setAll(true)}>
          {t(total > sessions.length ? "reports.sessions.showLatest" : "reports.sessions.all", {
            count: sessions.length,
          })}
        </Button>
      )}
      {all && total > sessions.length && (
        <p className={classes.none}>{t("reports.sessions.latest", { count: sessions.length })}</p>
      )}
    </div>
  );
}
