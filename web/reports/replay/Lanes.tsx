import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconEye, IconEyeOff, IconMinus, IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatOffset } from "#web/core/format/format.ts";
import { LANE, LaneMarks } from "#web/reports/replay/LaneMarks.tsx";
import classes from "#web/reports/replay/lanes.module.css";
import { LaneLegend } from "#web/reports/replay/LaneLegend.tsx";
import type { ReplayClock } from "#web/reports/replay/replayClock.ts";
import { Scrubber } from "#web/reports/replay/Scrubber.tsx";
import type { Lane, Timeline } from "#web/reports/replay/timeline.ts";

/** Why a session was cut short, or that it is still live. */
export type Cut = "tab_closed" | "timeout" | "superseded" | "revoked" | "live";

type Props = {
  index: Timeline;
  cut: Cut | null;
  /** Accessible name of the slider. */
  label: string;
  clock: ReplayClock;
  hidden: ReadonlySet<Lane>;
  onToggle: (lane: Lane) => void;
  isPhone: boolean;
};
const MAX_ZOOM = 16;

/** The whole replay on one time scale, with a lane for each kind of event; on a phone the first lane and one other. */
export function Lanes({ index, cut, label, clock, hidden, onToggle, isPhone }: Props) {
  const { t } = useTranslation();
  const [zoom, setZoom] = useState(1);
  const { lanes } = index;
  const [fixed, ...others] = lanes;
  const [only, setOnly] = useState(
    () => (["variables" as const, ...others].find((lane) => countOf(index, lane) > 0) ?? others[0]) as Lane,
  );
  const view = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(view.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  const shown: Lane[] = isPhone ? [fixed as Lane, only] : [...lanes];
  const counts = new Map(lanes.map((lane) => [lane, countOf(index, lane)]));
  const full = width * zoom;
  const another = () => setOnly(others[(others.indexOf(only) + 1) % others.length] as Lane);

  return (
    <section className={classes.lanes} aria-label={t("replay.lane.title")} data-phone={isPhone || undefined}>
      {!isPhone && (
        <ul className={classes.labels}>
          {lanes.map((lane) => {
            const isHidden = hidden.has(lane);
            const name = t(`replay.lane.${lane}`);
            const Eye = isHidden ? IconEyeOff : IconEye;
            return (
              <li key={lane} data-hidden={isHidden || undefined}>
                <UnstyledButton
                  className={classes.eye}
                  aria-pressed={!isHidden}
                  aria-label={t(isHidden ? "replay.lane.show" : "replay.lane.hide", { lane: name })}
                  onClick={() => onToggle(lane)}
                >
                  <Eye size={16} stroke={1.6} aria-hidden />
                </UnstyledButton>
                <span>{name}</span>
                <span className={classes.count}>{counts.get(lane)}</span>
              </li>
            );
          })}
        </ul>
      )}
      <div className={classes.view} ref={view}>
        <div className={classes.track} style={{ width: full, height: 26 + shown.length * LANE }}>
          <Ruler duration={index.duration} width={full} />
          <LaneMarks index={index} shown={shown} hidden={hidden} width={full} isCut={cut !== null && cut !== "live"} />
          <Scrubber
            index={index}
            label={label}
            clock={clock}
            width={full}
            isZoomed={zoom > 1}
            view={view}
            showsParts={!hidden.has("parts")}
          />
        </div>
      </div>
      {isPhone ? (
        <div className={classes.lane}>
          <span>{t("replay.lane.shown", { lane: t(`replay.lane.${only}`), n: counts.get(only) })}</span>
          <UnstyledButton className={classes.another} onClick={another}>
            {t("replay.lane.another")}
          </UnstyledButton>
        </div>
      ) : (
        <div className={classes.foot}>
          <LaneLegend index={index} />
          {cut && (
            <span className={classes.cut} data-live={cut === "live" || undefined}>
              {t(`replay.cut.${cut}`)}
            </span>
          )}
          <span className={classes.zoom}>
            <ActionIcon
              variant="default"
              aria-label={t("replay.lane.zoomOut")}
              title={t("replay.lane.zoomOut")}
              disabled={zoom === 1}
              onClick={() => setZoom(zoom / 2)}
            >
              <IconMinus size={16} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={t("replay.lane.zoomIn")}
              title={t("replay.lane.zoomIn")}
              disabled={zoom >= MAX_ZOOM}
              onClick={() => setZoom(zoom * 2)}
            >
              <IconPlus size={16} />
            </ActionIcon>
          </span>
        </div>
      )}
      {isPhone && cut && (
        <p className={classes.cut} data-live={cut === "live" || undefined}>
          {t(`replay.cut.${cut}`)}
        </p>
      )}
    </section>
  );
}

const countOf = ({ parts, saving, writing, entries }: Timeline, lane: Lane) => {
  if (lane === "parts") return new Set(parts.map(({ sco }) => sco)).size;
  if (lane === "writing") return writing.length;
  return lane === "saving" ? saving.commits : entries.filter((entry) => entry.lane === lane).length;
};

/** Possible intervals of the times on the ruler, in ms. */
const DISTANCES = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 4 * 3600, 86_400].map((seconds) => seconds * 1000);
/** Minimum width of one time, in px. */
const ROOM = 76;

function Ruler({ duration, width }: { duration: number; width: number }) {
  const step = DISTANCES.find((distance) => (distance / duration) * width >= ROOM) ?? duration;
  const count = width > 0 ? Math.floor(duration / step) + 1 : 0;
  return (
    <div className={classes.ruler} aria-hidden>
      {Array.from({ length: count }, (_, i) => {
        const left = ((i * step) / duration) * width;
        // The last time would exceed the right edge.
        return left > width - 30 ? null : (
          <span key={i} style={{ left }}>
            {formatOffset(i * step)}
          </span>
        );
      })}
    </div>
  );
}
