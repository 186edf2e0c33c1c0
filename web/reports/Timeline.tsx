import { Button } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/reports/SessionDrawer.module.css";
import { lineIndexAt, toTimelineLines } from "#web/reports/timelineLines.ts";
import { formatOffset } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import type { Questions } from "#shared/courses/questions.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** Number of lines rendered at once; a session may have many thousands. */
const WINDOW_LINES = 400;

type Props = {
  events: SessionEvent[];
  parts: Record<string, string>;
  questions: Questions;
  /** The time to scroll to, in ms since the start. */
  at: number | null;
  /** For admins, the session whose replay each time leads to. */
  replayOf?: string | undefined;
};

/** The events of a session in text form; scrolls to the requested time. */
export function Timeline({ events, parts, questions, at, replayOf }: Props) {
  const { t } = useTranslation();
  const lines = useMemo(() => toTimelineLines(events, parts, questions, t), [events, parts, questions, t]);
  const target = at === null ? null : lineIndexAt(lines, at);
  const [range, setRange] = useState(() => {
    const from = target === null ? 0 : Math.max(0, target - WINDOW_LINES / 2);
    return { from, to: from + WINDOW_LINES };
  });
  const targetLine = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (target === null) return;
    const timer = setTimeout(() => {
      targetLine.current?.scrollIntoView({ block: "center" });
      targetLine.current?.focus({ preventScroll: true });
    }, 260);
    return () => clearTimeout(timer);
  }, [target]);

  if (lines.length === 0) return <p className={classes.facts}>{t("reports.session.nothing")}</p>;
  return (
    <>
      {range.from > 0 && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => setRange({ ...range, from: Math.max(0, range.from - WINDOW_LINES) })}
        >
          {t("reports.session.earlier")}
        </Button>
      )}
      <ol className={classes.lines} aria-label={t("reports.session.timeline")}>
        {lines.slice(range.from, range.to).map((line, index) => {
          const isTarget = range.from + index === target;
          return (
            <li
              key={line.seq}
              ref={isTarget ? targetLine : undefined}
              tabIndex={isTarget ? -1 : undefined}
              data-weight={line.weight}
              data-target={isTarget || undefined}
              aria-current={isTarget ? "true" : undefined}
            >
              <span className={classes.clock}>
                {replayOf ? (
                  <Link
                    to={replayPath(replayOf, line.to)}
                    aria-label={t("replay.linkAt", { time: formatOffset(line.to) })}
                  >
                    {formatOffset(line.from)}
                  </Link>
                ) : (
                  formatOffset(line.from)
                )}
              </span>
              <span className={classes.words}>
                {line.text}
                {line.detail && <span className={classes.detail}>{line.detail}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {range.to < lines.length && (
        <Button variant="subtle" size="xs" onClick={() => setRange({ ...range, to: range.to + WINDOW_LINES })}>
          {t("reports.session.later")}
        </Button>
      )}
    </>
  );
}
