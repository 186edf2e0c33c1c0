import { ActionIcon, SegmentedControl, Switch } from "@mantine/core";
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/replay.module.css";
import { type ReplayClock, secondOf, useClock } from "#web/reports/replay/replayClock.ts";
import type { Entry, Timeline } from "#web/reports/replay/timeline.ts";
import { seekNext, seekPrevious, togglePlay } from "#web/reports/replay/useReplayKeys.ts";

const SPEEDS = [1, 4, 16];

type Props = {
  clock: ReplayClock;
  index: Timeline;
  entries: Entry[];
  hasKeys: boolean;
  onKeys: (on: boolean) => void;
  isPhone: boolean;
};

/** Play, step, speed and the time. */
export function Transport({ clock, index, entries, hasKeys, onKeys, isPhone }: Props) {
  const { t } = useTranslation();
  const isPlaying = useClock(clock, ({ isPlaying: read }) => read());
  const speed = useClock(clock, ({ speed: read }) => read());
  const skips = useClock(clock, ({ skipsIdle }) => skipsIdle());
  const times = useMemo(() => entries.map((entry) => entry.t), [entries]);
  const Play = isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled;
  return (
    <div className={classes.transport}>
      <ActionIcon
        size={38}
        variant="default"
        aria-label={t("replay.previous")}
        title={t("replay.previous")}
        onClick={() => seekPrevious(clock, times)}
      >
        <IconPlayerTrackPrev size={18} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        size={38}
        variant="filled"
        color="var(--mantine-primary-color-filled)"
        aria-label={isPlaying ? t("replay.pause") : t("replay.play")}
        title={isPlaying ? t("replay.pause") : t("replay.play")}
        onClick={() => togglePlay(clock)}
      >
        <Play size={18} />
      </ActionIcon>
      <ActionIcon
        size={38}
        variant="default"
        aria-label={t("replay.next")}
        title={t("replay.next")}
        onClick={() => seekNext(clock, times)}
      >
        <IconPlayerTrackNext size={18} stroke={1.6} />
      </ActionIcon>
      <TimeText clock={clock} />
      <SegmentedControl
        size="xs"
        aria-label={t("replay.speed")}
        value={String(speed)}
        onChange={(value) => clock.setSpeed(Number(value))}
        data={SPEEDS.map((value) => ({ value: String(value), label: `${value}×` }))}
      />
      {index.idle.length > 0 && (
        <Switch
          label={t("replay.skip")}
          checked={skips}
          onChange={(event) => clock.setSkipsIdle(event.currentTarget.checked)}
        />
      )}
      {!isPhone && (
        <span className={classes.keys}>
          <span className={classes.keyList} data-off={!hasKeys || undefined} aria-hidden>
            <kbd>Space</kbd> {t("replay.keys.play")} <kbd>←</kbd>
            <kbd>→</kbd> {t("replay.keys.step")} <kbd>N</kbd> {t("replay.keys.event")} <kbd>V</kbd>{" "}
            {t("replay.keys.variable")}
          </span>

          <Switch
            size="xs"
            label={t("replay.keys.switch")}
            checked={hasKeys}
            onChange={(event) => onKeys(event.currentTarget.checked)}
          />
        </span>
      )}
    </div>
  );
}

function TimeText({ clock }: { clock: ReplayClock }) {
  const { t } = useTranslation();
  const second = useClock(clock, secondOf);
  return (
    <span className={classes.time} data-replay-time={second}>
      <strong>{formatOffset(second * 1000)}</strong> {t("replay.of", { time: formatOffset(clock.duration) })}
    </span>
  );
}
