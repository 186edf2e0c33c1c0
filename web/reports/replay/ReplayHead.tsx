import { IconEye } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { formatDuration } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { CopyLink } from "#web/reports/replay/CopyLink.tsx";
import classes from "#web/reports/replay/ReplayHead.module.css";
import type { ReplayClock } from "#web/reports/replay/replayClock.ts";
import type { ReplayIndex } from "#web/reports/replay/replayIndex.ts";
import type { Replay } from "#shared/reports/replays.ts";

type Props = { replay: Replay; index: ReplayIndex; clock: ReplayClock; linkTo: (second: number) => string };

/** Learner and facts of the session, and who can see that the replay was opened. */
export function ReplayHead({ replay, index, clock, linkTo }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const { session, learner } = replay;
  const lost =
    session.failedCommits > 0 ? t("replay.facts.failed", { count: session.failedCommits }) : t("replay.facts.none");
  const ending = session.endedAt
    ? t(`reports.endReasons.${session.endReason as "exit"}`, { defaultValue: t("reports.endReasons.unknown") })
    : t("reports.endReasons.live");
  const facts: ReactNode[] = [
    <Link key="course" to={`/courses/${replay.courseId}`}>
      {session.course}
    </Link>,
    replay.company,
    session.device,
    t("replay.facts.attempt", { no: session.attemptNo, version: replay.version }),
    t("replay.facts.active", {
      whole: formatDuration(index.duration / 1000),
      active: formatDuration(session.activeSeconds),
    }),
    `${t("replay.facts.events", { count: session.events })}, ${lost}`,
    ending,
    t("replay.facts.zone", { zone: replay.zone }),
  ];
  const clockText =
    replay.offsetMs === null ? t("replay.clockUnknown") : t("replay.clock", { ms: Math.abs(replay.offsetMs) });
  return (
    <div className={classes.head}>
      <PageHead
        parent={{ to: `/learners/report/${learner.id}`, label: learner.name }}
        title={t("replay.title", { time: times.dateTime(session.startedAt) })}
        line={
          <span className={classes.facts}>
            {facts.map((fact, i) => (
              <Fragment key={i}>
                <span>{fact}</span>
              </Fragment>
            ))}
          </span>
        }
        actions={<CopyLink linkTo={linkTo} clock={clock} />}
      />
      <p className={classes.seen}>
        <IconEye size={16} stroke={1.6} aria-hidden />
        <span>
          {t("replay.visible", { name: learner.name, time: times.time(replay.openedAt) })}
          {session.events > 0 && ` ${clockText}`}
        </span>
      </p>
    </div>
  );
}
