import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatOffset } from "#web/core/format/format.ts";
import { partLabel } from "#web/reports/replay/LaneMarks.tsx";
import classes from "#web/reports/replay/lanes.module.css";
import { indexAt, type ReplayClock, secondOf, useClock } from "#web/reports/replay/replayClock.ts";
import type { Timeline } from "#web/reports/replay/timeline.ts";
import { stepBy } from "#web/reports/replay/useReplayKeys.ts";

type Props = {
  index: Timeline;
  label: string;
  clock: ReplayClock;
  width: number;
  isZoomed: boolean;
  view: RefObject<HTMLDivElement | null>;
  showsParts: boolean;
};
const MINUTE = 60_000;

/** The cursor over the lanes, a slider. Moved outside React, because it changes in every frame. */
export function Scrubber({ index, label, clock, width, view, isZoomed, showsParts }: Props) {
  const { t } = useTranslation();
  const second = useClock(clock, secondOf);
  const part = useClock(clock, ({ now }) => indexAt(index.partTimes, now()));
  const cursor = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = () => {
      const x = (clock.now() / clock.duration) * width;
      const node = cursor.current;
      // Leaving the page pauses the clock after the cursor has been removed.
      if (!node) return;
      node.style.transform = `translateX(${x}px)`;
      const box = view.current;
      // When zoomed in, the view follows the cursor. Otherwise no layout property is read, which would force a reflow.
      if (box && isZoomed && (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth))
        box.scrollTo({ left: x - box.clientWidth / 4 });
    };
    move();
    const stop = clock.subscribe(move);
    return () => void stop();
  }, [clock, width, view, isZoomed]);
  const seekTo = (event: PointerEvent<HTMLDivElement>) => {
    const left = (slider.current as HTMLDivElement).getBoundingClientRect().left;
    clock.seek(((event.clientX - left) / width) * clock.duration);
  };
  const time = t("replay.spoken.time", { minutes: Math.floor(second / 60), seconds: second % 60 });
  const open = index.parts[part];
  const spoken = () => {
    if (open) return t("replay.spoken.part", { time, number: open.number, title: open.title });
    return index.parts.length > 0 ? t("replay.spoken.out", { time }) : time;
  };
  const x = (ms: number) => (ms / clock.duration) * width;
  return (
    <div
      ref={slider}
      className={classes.slider}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.floor(clock.duration / 1000)}
      aria-valuenow={second}
      aria-valuetext={spoken()}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      onKeyDown={(event) => {
        const act = {
          ArrowLeft: () => stepBy(clock, -1, event.shiftKey),
          ArrowDown: () => stepBy(clock, -1, event.shiftKey),
          ArrowRight: () => stepBy(clock, 1, event.shiftKey),
          ArrowUp: () => stepBy(clock, 1, event.shiftKey),
          PageDown: () => clock.seek(clock.now() - MINUTE),
          PageUp: () => clock.seek(clock.now() + MINUTE),
          Home: () => clock.seek(0),
          End: () => clock.seek(clock.duration),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        act();
      }}
    >
      {open && showsParts && (
        <span
          className={classes.open}
          style={{ left: x(open.from), width: Math.max(2, x(open.to) - x(open.from) - 2) }}
        >
          {partLabel(open, x(open.to) - x(open.from))}
        </span>
      )}
      <div ref={cursor} className={classes.cursor}>
        <span className={classes.flag} data-edge={edgeOf(x(second * 1000), width)}>
          {formatOffset(second * 1000)}
        </span>
      </div>
    </div>
  );
}

/** Half of the widest time label, in px. */
const HALF_FLAG = 34;
/** Near an edge the time label is moved inside. */
const edgeOf = (left: number, width: number) => {
  if (left < HALF_FLAG) return "start";
  return left > width - HALF_FLAG ? "end" : undefined;
};
