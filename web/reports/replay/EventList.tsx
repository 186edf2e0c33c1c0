import {
  IconDeviceFloppy,
  IconBook2,
  IconCircleCheck,
  IconHandClick,
  IconMessage,
  IconPencil,
  IconPlugConnected,
  IconQuote,
  IconVariable,
} from "@tabler/icons-react";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/replay.module.css";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import type { Entry, Lane } from "#web/reports/replay/timeline.ts";

/** Height of a row in px, as in the style sheet, and rows that are kept above and below those in view. */
const ROW = 48;
const OVERSCAN = 4;
const icons: Record<Lane, typeof IconBook2> = {
  parts: IconBook2,
  answers: IconCircleCheck,
  variables: IconVariable,
  chat: IconMessage,
  calls: IconPlugConnected,
  saving: IconDeviceFloppy,
  writing: IconPencil,
  passages: IconQuote,
  actions: IconHandClick,
};

/** By the distance to the event at the position. */
const stateOf = (distance: number) => {
  if (distance === 0) return "now";
  return distance > 0 ? "later" : "past";
};

type Props = { entries: Entry[]; clock: ReplayClock; hidden: number; all: number };

/** The events up to the end; those in view only are in the page. The one at the position is marked and stays in view. */
export function EventList({ entries, clock, hidden, all }: Props) {
  const { t } = useTranslation();
  const times = useMemo(() => entries.map((entry) => entry.t), [entries]);
  const current = useClock(clock, ({ now }) => indexAt(times, now()));
  const pane = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, rows: 16 });
  // Kept here, because reading them from the page while it plays would make the browser lay it out each time.
  const box = useRef({ top: 0, height: 400 });
  const update = () => {
    const { top, height } = box.current;
    const [first, rows] = [Math.floor(top / ROW), Math.ceil(height / ROW) + 1];
    setView((before) => (before.first === first && before.rows === rows ? before : { first, rows }));
  };
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      box.current.height = entry?.contentRect.height ?? box.current.height;
      update();
    });
    observer.observe(pane.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    box.current.top = (pane.current as HTMLDivElement).scrollTop;
    update();
  };
  useLayoutEffect(() => {
    const { top, height } = box.current;
    const row = current * ROW;
    // Moves only when the row comes near an edge, so that the list does not run under the pointer.
    if (row >= top + ROW / 2 && row <= top + height - 2 * ROW) return;
    const end = Math.max(0, entries.length * ROW - height);
    box.current.top = Math.min(end, Math.max(0, row - height * 0.3));
    (pane.current as HTMLDivElement).scrollTop = box.current.top;
    update();
  }, [current, entries]);
  const from = Math.max(0, view.first - OVERSCAN);
  const to = Math.min(entries.length, view.first + view.rows + OVERSCAN);
  /** Rows that leave on one side show what comes in on the other: changing a row is much less work than making one. */
  const slots = view.rows + 2 * OVERSCAN;

  return (
    <section className={classes.events} aria-label={t("replay.events")}>
      <div className={classes.paneHead}>
        <h2>{t("replay.events")}</h2>
        <span>{hidden === 0 ? t("replay.filter") : t("replay.filterSome", { count: all - hidden, all })}</span>
      </div>
      <div
        ref={pane}
        className={classes.scroll}
        onScroll={onScroll}
        tabIndex={0}
        role="group"
        aria-label={t("replay.events")}
      >
        {entries.length === 0 && <p className={classes.none}>{t("replay.noEvents")}</p>}
        <ol style={{ height: entries.length * ROW }}>
          {entries.slice(from, to).map((entry, i) => (
            <Row
              key={(from + i) % slots}
              entry={entry}
              number={from + i}
              count={entries.length}
              state={stateOf(from + i - current)}
              clock={clock}
            />
          ))}
        </ol>
      </div>
    </section>
  );
}

type RowProps = { entry: Entry; number: number; count: number; state: "now" | "later" | "past"; clock: ReplayClock };
const Row = memo(function Row({ entry, number, count, state, clock }: RowProps) {
  const Icon = icons[entry.lane];
  return (
    <li
      style={{ transform: `translateY(${number * ROW}px)` }}
      aria-posinset={number + 1}
      aria-setsize={count}
      data-state={state}
      data-tone={entry.tone}
      aria-current={state === "now" ? "true" : undefined}
    >
      <button type="button" className={classes.row} onClick={() => clock.seek(entry.t)}>
        <span className={classes.clock}>{formatOffset(entry.t)}</span>
        <Icon size={16} stroke={1.6} aria-hidden />
        <span className={classes.words}>
          <span className={classes.text}>{entry.text}</span>
          <span className={classes.detail}>{entry.detail}</span>
        </span>
      </button>
    </li>
  );
});
