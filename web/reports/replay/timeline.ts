import type { TFunction } from "i18next";
import type { Span } from "#web/reports/replay/replayClock.ts";
import type { VariableTrack } from "#web/reports/replay/variableTracks.ts";
import { valueText } from "#web/variables/valueText.ts";
import { IDLE_AFTER_MS } from "#shared/player/playerTiming.ts";

// The timeline of a replay, whether of a session or of a conversation

export type Lane = "parts" | "answers" | "variables" | "chat" | "calls" | "saving" | "writing" | "passages" | "actions";
export type Tone = "plain" | "good" | "bad" | "learner" | "chatbot" | "warn";
/** One line of the list of events, and one mark of the timeline. `size`, 0 to 1, is the length of a message. */
export type Entry = { id: string; t: number; lane: Lane; tone: Tone; text: string; detail: string; size?: number };
export type PartSpan = Span & { number: number; title: string; sco: string };
/** An answer being written: no word until `first`. */
export type WritingSpan = Span & { first: number };

export type Timeline = {
  lanes: readonly Lane[];
  entries: Entry[];
  duration: number;
  idle: Span[];
  parts: PartSpan[];
  partTimes: number[];
  tracks: VariableTrack[];
  changeTimes: number[];
  /** Spans of late saving, and the number of commits. */
  saving: { drawn: Span[]; commits: number };
  writing: WritingSpan[];
  /** Start of the replay by the reader's clock, in ms since 1970. */
  startsAt: number;
};

/** Number of words of the longest bar. */
const LONGEST_TURN = 60;
export const sizeOf = (text: string) => Math.min(1, text.split(/\s+/).length / LONGEST_TURN);
/** Maximum characters of a message in the list. */
const MAX_CHARS = 160;
export const short = (text: string) => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);

export function variableEntry(change: VariableTrack["changes"][number], t: TFunction): Entry {
  const { variable, value, before, refused, masked, id } = change;
  const after = valueText(value, variable, t);
  let detail =
    before === null
      ? t("replay.line.firstSet", { after })
      : t("replay.line.fromTo", { before: valueText(before, variable, t), after });
  if (refused) detail = t("replay.line.refused", { value: after });
  if (masked) detail = t("replay.line.masked");
  const tone = refused ? "bad" : "plain";
  return {
    id: `v${id}`,
    t: change.t,
    lane: "variables",
    tone,
    text: t("replay.line.changed", { label: variable.label }),
    detail: short(detail),
  };
}

export const timesOf = (changes: VariableTrack["changes"]) =>
  changes.map((change) => change.t).toSorted((a, b) => a - b);

/** A longer pause between two messages is no conversation any more, in ms. */
const TALK_PAUSE_MS = 180_000;

/** The times of messages, and times in between while people read and write. */
export function talkTimes(messages: number[]): number[] {
  const times = messages.toSorted((a, b) => a - b);
  return times.flatMap((from, i) => {
    const to = times[i + 1] ?? from;
    if (to - from > TALK_PAUSE_MS) return [from];
    return Array.from({ length: Math.ceil((to - from) / IDLE_AFTER_MS) || 1 }, (_, n) => from + n * IDLE_AFTER_MS);
  });
}

/** Spans of more than a minute without activity. */
export function idleSpans(activity: number[], duration: number): Span[] {
  const times = [0, ...activity.toSorted((a, b) => a - b), duration];
  return times.flatMap((to, i) => {
    const from = times[i - 1] ?? 0;
    return to - from > IDLE_AFTER_MS ? [{ from, to }] : [];
  });
}
