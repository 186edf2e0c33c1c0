import {
  IconDeviceFloppy,
  IconBook2,
  IconCircleCheck,
  IconCircleX,
  IconHandClick,
  IconMessage,
  IconPencil,
  IconPlugConnected,
  IconQuote,
  IconVariable,
} from "@tabler/icons-react";
import { memo, type ReactElement, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/replay.module.css";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import type { Entry, Lane } from "#web/reports/replay/timeline.ts";

/** Height of a row in px, as in the style sheet, and number of extra rows above and below the visible ones. */
const ROW = 48;
const OVERSCAN = 4;
/** Value of `followed` before any event was followed; -1 is the time before the first event. */
const NOTHING = -2;
const iconComponents: Record<Lane, typeof IconBook2> = {
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
/** One element per lane, so that a row that keeps its lane does not render its icon again. */
const icons = Object.fromEntries(
  Object.entries(iconComponents).map(([lane, Icon]) => [lane, <Icon key={lane} size={16} stroke={1.6} aria-hidden />]),
) as Record<Lane, ReactElement>;
const wrongAnswerIcon = <IconCircleX size={16} stroke={1.6} aria-hidden />;

/** State of a row by its distance to the event at the position. */
const stateOf = (distance: number) => {
  if (distance === 0) return "now";
  return distance > 0 ? "later" : "past";
};

type Props = { entries: Entry[]; clock: ReplayClock; hidden: number; all: number };
/**
 * The visible part of the list in px, and the event that it followed last. `isScrolled`: the reader has scrolled, so
 * extra rows are rendered.
 */
type View = { top: number; height: number; followed: number; isScrolled: boolean };

const isInView = ({ top, height }: View, number: number) => number * ROW > top - ROW && number * ROW < top + height;

/** Moves only when the row of the current event comes near an edge, so that the list does not run under the pointer. */
function follow(view: View, current: number, count: number): View {
  const { top, height } = view;
  const row = current * ROW;
  if (row >= top + ROW / 2 && row <= top + height - 2 * ROW) return { ...view, followed: current };
  const end = Math.max(0, count * ROW - height);
  const next = Math.min(end, Math.max(0, Math.floor(row - height * 0.3)));
  return { ...view, top: next, followed: current, isScrolled: false };
}

/**
 * The list of all events, of which only the visible ones are rendered. The one at the position is marked and kept in
 * view.
 */
export function EventList({ entries, clock, hidden, all }: Props) {
  const { t } = useTranslation();
  const label = t("replay.events");
  const times = useMemo(() => entries.map((entry) => entry.t), [entries]);
  const current = useClock(clock, ({ now }) => indexAt(times, now()));
  const pane = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, height: 400, followed: NOTHING, isScrolled: false });
  const [listed, setListed] = useState(entries);
  // State is set during rendering, so that each position is rendered once.
  if (view.followed !== current || listed !== entries) {
    setListed(entries);
    // New events do not move a list that the reader has scrolled.
    if (view.followed !== current || !view.isScrolled) setView(follow(view, current, entries.length));
  }
  useEffect(() => {
    // After a change of height the event is followed again, because it may be out of view.
    const observer = new ResizeObserver(([entry]) =>
      setView((before) => ({
        ...before,
        height: entry?.contentRect.height ?? before.height,
        followed: isInView(before, before.followed) ? NOTHING : before.followed,
      })),
    );
    observer.observe(pane.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  // The list may have become shorter, or the pane higher.
  const top = Math.min(view.top, Math.max(0, entries.length * ROW - view.height));
  useLayoutEffect(() => {
    if (!view.isScrolled) (pane.current as HTMLDivElement).scrollTop = top;
  }, [view.isScrolled, top, view.height]);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = pane.current as HTMLDivElement;
    // Ignores scrolling that `top` itself has caused, as far as the pane can scroll.
    if (Math.abs(Math.min(view.top, scrollHeight - clientHeight) - scrollTop) < 1) return;
    setView((before) => ({ ...before, top: scrollTop, isScrolled: true }));
  };
  // At least one, so that Tab can reach the next event.
  const spare = view.isScrolled ? OVERSCAN : 1;
  const span = Math.ceil(view.height / ROW) + 1 + 2 * OVERSCAN;
  const from = Math.max(0, Math.floor(top / ROW) - spare);
  const to = Math.min(entries.length, Math.ceil((top + view.height) / ROW) + spare);

  return (
    <section className={classes.events} aria-label={label}>
      <Head hidden={hidden} all={all} />
      <div ref={pane} className={classes.scroll} onScroll={onScroll} tabIndex={0} role="group" aria-label={label}>
        {entries.length === 0 && <p className={classes.none}>{t("replay.noEvents")}</p>}
        <ol style={{ height: entries.length * ROW, paddingTop: from * ROW }}>
          {entries.slice(from, to).map((entry, i) => (
            // Rows are recycled, because changing one is much cheaper than creating one; the focus stays on its event.
            <Row
              key={(from + i) % span}
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

const Head = memo(function Head({ hidden, all }: Pick<Props, "hidden" | "all">) {
  const { t } = useTranslation();
  return (
    <div className={classes.paneHead}>
      <h2>{t("replay.events")}</h2>
      <span>{hidden === 0 ? t("replay.filter") : t("replay.filterSome", { count: all - hidden, all })}</span>
    </div>
  );
});

type RowProps = { entry: Entry; number: number; count: number; state: "now" | "later" | "past"; clock: ReplayClock };
const Row = memo(function Row({ entry, number, count, state, clock }: RowProps) {
  const isWrongAnswer = entry.lane === "answers" && entry.tone === "bad";
  return (
    <li
      aria-posinset={number + 1}
      aria-setsize={count}
      data-state={state}
      data-tone={entry.tone}
      aria-current={state === "now" ? "true" : undefined}
    >
      <button type="button" className={classes.row} onClick={() => clock.seek(entry.t)}>
        <span className={classes.clock}>{formatOffset(entry.t)}</span>
        {isWrongAnswer ? wrongAnswerIcon : icons[entry.lane]}
        <span className={classes.words}>
          <span className={classes.text}>{entry.text}</span>
          <span className={classes.detail}>{entry.detail}</span>
        </span>
      </button>
    </li>
  );
});
