import { memo } from "react";
import { useTranslation } from "react-i18next";
import { formatDuration } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/lanes.module.css";
import type { Entry, Lane, Timeline } from "#web/reports/replay/timeline.ts";

/** Height of a lane in px. */
export const LANE = 27;
const MIDDLE = LANE / 2;
/** Minimum widths of a part for its number and for its title, in px. */
const MIN_NUMBER = 18;
const MIN_TITLE = 74;
/** Half of the widest mark, in px: the margin that keeps the first and the last mark complete. */
const HALF_MARK = 6;

/** The label that fits into the width of a part, in px. */
export function partLabel({ number, title }: { number: number; title: string }, width: number) {
  if (width >= MIN_TITLE) return `${number} ${title}`;
  return width >= MIN_NUMBER ? String(number) : "";
}

type Props = { index: Timeline; shown: Lane[]; hidden: ReadonlySet<Lane>; width: number; isCut: boolean };

/**
 * The marks of all lanes. All marks of one shape in a lane are one path, so that drawing takes the same time for
 * thousands of events as for ten.
 */
export const LaneMarks = memo(function LaneMarks({ index, shown, hidden, width, isCut }: Props) {
  const { t } = useTranslation();
  const height = shown.length * LANE;
  const x = (time: number) => (time / index.duration) * width;
  const inside = (time: number) => Math.min(Math.max(x(time), HALF_MARK), width - HALF_MARK);
  if (width === 0) return null;
  return (
    <>
      <svg className={classes.marks} width={width} height={height} aria-hidden>
        <defs>
          <pattern id="replay-idle" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V6" className={classes.hatch} />
          </pattern>
        </defs>
        {shown.map((lane, i) => (
          <path key={lane} className={classes.rule} d={`M0 ${(i + 1) * LANE - 0.5}H${width}`} />
        ))}
        {index.idle.map(({ from, to }) => (
          <rect key={from} x={x(from)} width={x(to) - x(from)} height={height} fill="url(#replay-idle)" />
        ))}
        {shown.map((lane, i) =>
          hidden.has(lane) ? null : (
            <g key={lane} transform={`translate(0 ${i * LANE})`}>
              {lane === "saving" && <Saving index={index} x={x} />}
              {lane === "writing" && <Writing index={index} x={x} />}
              {lane !== "saving" && (
                <Marks entries={index.entries.filter((entry) => entry.lane === lane)} lane={lane} x={inside} />
              )}
            </g>
          ),
        )}
        {isCut && <path className={classes.end} d={`M${width - 1.5} 0V${height}`} />}
      </svg>
      {!hidden.has("parts") && (
        <div className={classes.parts} aria-hidden>
          {index.parts.map(({ from, to, number, title }) => {
            const size = x(to) - x(from);
            return (
              <span key={`${from} ${number}`} style={{ left: x(from), width: Math.max(2, size - 2) }}>
                {partLabel({ number, title }, size)}
              </span>
            );
          })}
        </div>
      )}
      {index.idle
        .filter(({ from, to }) => x(to) - x(from) > 110)
        .map(({ from, to }) => (
          <span
            key={from}
            className={classes.idle}
            style={{ left: x((from + to) / 2), top: 26 + height / 2 }}
            aria-hidden
          >
            {t("replay.lane.idle", { time: formatDuration((to - from) / 1000) })}
          </span>
        ))}
    </>
  );
});

type X = (time: number) => number;

function Saving({ index, x }: { index: Timeline; x: X }) {
  // Idle spans have no saving.
  const edges = [0, ...index.idle.flatMap(({ from, to }) => [from, to]), index.duration];
  const saved = edges.flatMap((from, i) => (i % 2 === 0 ? [`M${x(from)} ${MIDDLE}H${x(edges[i + 1] ?? from)}`] : []));
  const late = index.saving.drawn.map(({ from, to }) => `M${x(from)} ${MIDDLE}H${Math.max(x(to), x(from) + 4)}`);
  return (
    <>
      <path className={classes.saved} d={saved.join("")} />
      <path className={classes.late} d={late.join("")} />
    </>
  );
}

/** Answers being written: a thin line until the first word, then a thick one. */
function Writing({ index, x }: { index: Timeline; x: X }) {
  const line = (from: number, to: number) => `M${x(from)} ${MIDDLE}H${Math.max(x(to), x(from) + 1)}`;
  return (
    <>
      <path className={classes.waiting} d={index.writing.map(({ from, first }) => line(from, first)).join("")} />
      <path className={classes.written} d={index.writing.map(({ first, to }) => line(first, to)).join("")} />
    </>
  );
}

const shapes: Record<string, (x: number, entry: Entry) => string> = {
  dot: (x) => `M${x - 4.5} ${MIDDLE}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0`,
  ring: (x) => `M${x - 4} ${MIDDLE}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
  diamond: (x) => `M${x} ${MIDDLE - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`,
  up: (x, { size = 0 }) => `M${x - 2.5} ${MIDDLE}h5v${-4 - size * 7}h-5z`,
  down: (x, { size = 0 }) => `M${x - 2.5} ${MIDDLE}h5v${4 + size * 7}h-5z`,
  none: () => "",
  tick: (x) => `M${x} 6V${LANE - 6}`,
};
const shapeOf = (lane: Lane, { tone }: Entry) => {
  if (lane === "answers") return tone === "good" ? "dot" : "ring";
  if (lane === "variables") return "diamond";
  if (lane === "actions") return "dot";
  // The spans show when an answer was written; only an unusual end has a mark.
  if (lane === "writing") return tone === "plain" ? "none" : "ring";
  if (lane === "chat") return tone === "learner" ? "down" : "up";
  return "tick";
};

/** All marks of a lane: one path for each shape and tone. */
function Marks({ entries, lane, x }: { entries: Entry[]; lane: Lane; x: X }) {
  if (lane === "parts") return null;
  const groups = Map.groupBy(entries, (entry) => `${shapeOf(lane, entry)} ${entry.tone}`);
  return [...groups].map(([key, group]) => {
    const [shape = "tick", tone] = key.split(" ");
    const draw = shapes[shape] as (x: number, entry: Entry) => string;
    return (
      <path
        key={key}
        className={classes.mark}
        data-shape={shape}
        data-tone={tone}
        d={group.map((entry) => draw(x(entry.t), entry)).join("")}
      />
    );
  });
}
