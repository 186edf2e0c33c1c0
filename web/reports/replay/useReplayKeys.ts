import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "#web/core/display/copyText.ts";
import { indexAt, type ReplayClock } from "#web/reports/replay/replayClock.ts";
import type { Entry, Timeline } from "#web/reports/replay/timeline.ts";

type Input = {
  clock: ReplayClock;
  index: Timeline;
  entries: Entry[];
  /** Returns the URL of a second. */
  linkTo: (second: number) => string;
  isOn: boolean;
};
const STEP_MS = 5000;
const LONG_STEP_MS = 30_000;

/** Moves to the next of the sorted times, at least a millisecond later. */
export function seekNext(clock: ReplayClock, times: number[]) {
  const next = times[indexAt(times, clock.now()) + 1];
  if (next !== undefined) clock.seek(next);
}
/** Moves to the time before the current one. */
export function seekPrevious(clock: ReplayClock, times: number[]) {
  const at = indexAt(times, clock.now());
  clock.seek(times.findLast((time) => time < (times[at] ?? 0)) ?? 0);
}
export const stepBy = (clock: ReplayClock, direction: number, isLong: boolean) =>
  clock.seek(clock.now() + direction * (isLong ? LONG_STEP_MS : STEP_MS));
export const togglePlay = (clock: ReplayClock) => (clock.isPlaying() ? clock.pause() : clock.play());

/** Keyboard shortcuts of a replay, unless the focused element uses the key itself. */
export function useReplayKeys({ clock, index, entries, linkTo, isOn }: Input) {
  const { t } = useTranslation();
  useEffect(() => {
    if (!isOn) return;
    const times = entries.map((entry) => entry.t);
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="slider"], [role="tab"]'))
        return;
      if (event.key === " " && target.closest("button, a, [role='radio']")) return;
      const act = {
        " ": () => togglePlay(clock),
        ArrowLeft: () => stepBy(clock, -1, event.shiftKey),
        ArrowRight: () => stepBy(clock, 1, event.shiftKey),
        n: () => seekNext(clock, times),
        v: () => seekNext(clock, index.changeTimes),
        "1": () => clock.setSpeed(1),
        "2": () => clock.setSpeed(4),
        "3": () => clock.setSpeed(16),
        c: () => void copyText(linkTo(Math.floor(clock.now() / 1000)), t("replay.copied")),
      }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [clock, index, entries, linkTo, isOn, t]);
}
