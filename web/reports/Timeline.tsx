import { Button } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/reports/SessionDrawer.module.css";
import { lineAt, timelineOf } from "#web/reports/timeline.ts";
import type { SessionEvent } from "#shared/player.ts";

/** Lines that are drawn at once; a session may have many thousands. */
const WINDOW = 400;

/** `00:41`, `1:02:07` from the start of the session. */
function clock(ms: number) {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${rest}` : rest;
}

type Props = {
  events: SessionEvent[];
  parts: Record<string, string>;
  /** The moment to show, in ms. */ at: number | null;
};

/** A session second by second; scrolls to the moment that was asked for. */
export function Timeline({ events, parts, at }: Props) {
  const { t } = useTranslation();
  const lines = useMemo(() => timelineOf(events, parts, t), [events, parts, t]);
  const target = at === null ? null : lineAt(lines, at);
  const [range, setRange] = useState(() => {
    const from = target === null ? 0 : Math.max(0, target - WINDOW / 2);
    return { from, to: from + WINDOW };
  });
  const marked = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (target === null) return;
    const timer = setTimeout(() => {
      marked.current?.scrollIntoView({ block: "center" });
      marked.current?.focus({ preventScroll: true });
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
          onClick={() => setRange({ ...range, from: Math.max(0, range.from - WINDOW) })}
        >
          {t("reports.session.earlier")}
        </Button>
      )}
      <ol className={classes.lines} aria-label={t("reports.session.timeline")}>
        {lines.slice(range.from, range.to).map((line, index) => {
          const here = range.from + index === target;
          return (
            <li
              key={line.seq}
              ref={here ? marked : undefined}
              tabIndex={here ? -1 : undefined}
              data-weight={line.weight}
              data-here={here || undefined}
              aria-current={here ? "true" : undefined}
            >
              <span className={classes.clock}>{clock(line.from)}</span>
              <span className={classes.words}>
                {line.text}
                {line.detail && <span className={classes.detail}>{line.detail}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {range.to < lines.length && (
        <Button variant="subtle" size="xs" onClick={() => setRange({ ...range, to: range.to + WINDOW })}>
          {t("reports.session.later")}
        </Button>
      )}
    </>
  );
}
