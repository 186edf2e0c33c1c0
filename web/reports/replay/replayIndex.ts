import type { TFunction } from "i18next";
import { formatDuration } from "#web/core/format/format.ts";
import type { ReplayData } from "#web/reports/replay/replayData.ts";
import { listSaving } from "#web/reports/replay/savingSpans.ts";
import {
  type Entry,
  idleSpans,
  type Lane,
  type PartSpan,
  short,
  sizeOf,
  talkTimes,
  type Timeline,
  timesOf,
  type Tone,
  variableEntry,
} from "#web/reports/replay/timeline.ts";
import { indexVariables } from "#web/reports/replay/variableTracks.ts";
import { toTimelineLines } from "#web/reports/timelineLines.ts";
import { readStoredAnswer } from "#shared/lessons/answerText.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { inOrder } from "#shared/player/playerTiming.ts";
import type { Replay, ReplayTurn } from "#shared/reports/replays.ts";

const lanes = ["parts", "answers", "variables", "chat", "calls", "saving"] as const satisfies Lane[];
export type ReplayIndex = ReturnType<typeof indexReplay>;

/** The look-up tables of a replay, computed once. */
export function indexReplay(replay: Replay, data: ReplayData, t: TFunction) {
  const { turns } = data;
  const events = inOrder(data.events);
  const start = Date.parse(replay.session.startedAt) + (replay.offsetMs ?? 0);
  const timeOf = (at: string) => Math.max(0, Date.parse(at) - start);
  const variables = indexVariables(replay, data, timeOf);
  const entries = [
    ...eventEntries(replay, events, variables.bySeq, t),
    ...variables.changes.map((change) => variableEntry(change, t)),
    ...turns.map((turn) => turnEntry(turn, replay.learner.name, timeOf(turn.createdAt), t)),
  ];
  const lastTime = entries.reduce((last, { t: at }) => Math.max(last, at), events.at(-1)?.t ?? 0);
  const endedAt = replay.session.endedAt ? timeOf(replay.session.endedAt) : 0;
  const duration = Math.max(lastTime, endedAt, 1);
  const saving = listSaving(data, timeOf, duration);
  entries.push(
    ...saving.late.map(({ from, to, events: count }): Entry => ({
      id: `s${from}`,
      t: from,
      lane: "saving",
      tone: "warn",
      text: t("replay.line.late", { time: formatDuration((to - from) / 1000) }),
      detail: t("replay.line.lateDetail", { count }),
    })),
  );
  entries.sort((a, b) => a.t - b.t);
  const activity = [...events.map((event) => event.t), ...talkTimes(turns.map((turn) => timeOf(turn.createdAt)))];
  const parts = partSpans(replay, events, duration);
  const timeline: Timeline = {
    lanes,
    entries,
    duration,
    idle: idleSpans(activity, duration),
    parts,
    partTimes: parts.map(({ from }) => from),
    tracks: variables.tracks,
    changeTimes: timesOf(variables.changes),
    saving: { drawn: saving.drawn, commits: data.commits.length },
    writing: [],
    startsAt: start,
  };
  return { ...timeline, turns: turns.map((turn) => ({ ...turn, t: timeOf(turn.createdAt) })), events };
}

function eventEntries(replay: Replay, events: SessionEvent[], withValue: Set<number>, t: TFunction): Entry[] {
  const byNumber = new Map(events.map((event) => [event.seq, event]));
  const titles = Object.fromEntries(replay.parts.map(({ sco, title }) => [sco, title]));
  const entries = toTimelineLines(events, titles, replay.questions, t).flatMap((line): Entry[] => {
    const event = byNumber.get(line.seq);
    // Values of variables have separate lines that include the previous value.
    if (!event || (setsVariable(event) && withValue.has(event.seq))) return [];
    const lane = laneOf(event);
    const { weight } = line;
    const tone = weight === "bad" || weight === "good" ? weight : "plain";
    return [
      {
        id: `e${line.seq}`,
        t: lane === "answers" ? line.to : line.from,
        lane,
        tone: lane === "answers" ? resultTone(events, line.from, line.to, event) : tone,
        text: line.text,
        detail: line.detail ?? "",
      },
    ];
  });
  for (const event of events)
    if (event.type === "scorm.commit")
      entries.push({
        id: `e${event.seq}`,
        t: event.t,
        lane: "calls",
        tone: "plain",
        text: t("replay.line.commit"),
        detail: "",
      });
  return entries;
}

const setsVariable = ({ type }: Pick<SessionEvent, "type">) => type === "variable.set" || type === "package.set";

function laneOf({ type, key = "", value = "" }: SessionEvent): Lane {
  if (setsVariable({ type }) || (type === "error" && value.startsWith("variable refused"))) return "variables";
  if (
    type === "block.answer" ||
    type === "block.choose" ||
    (type === "scorm.set" && key.startsWith("cmi.interactions."))
  )
    return "answers";
  return type.startsWith("scorm.") || type === "error" ? "calls" : "parts";
}

/** SCORM 1.2 says "wrong", SCORM 2004 "incorrect". */
const resultTones: Record<string, Tone> = { correct: "good", wrong: "bad", incorrect: "bad" };

/** The result that the same interaction has reported between two times. */
function resultTone(events: SessionEvent[], from: number, to: number, event: SessionEvent): Tone {
  const { type, seq, key = "", value = "", sco } = event;
  if (type === "block.answer") {
    const share = readStoredAnswer(value)?.share ?? null;
    if (share === null) return "plain";
    return share >= 1 ? "good" : "bad";
  }
  const name = `${/^cmi\.interactions\.\d+/.exec(key)?.[0]}.result`;
  let tone: Tone = "plain";
  for (let i = seq - (events[0]?.seq ?? 1); i < events.length && i >= 0; i++) {
    const other = events[i] as SessionEvent;
    if (other.t > to) break;
    if (other.t >= from && other.sco === sco && other.key === name) tone = resultTones[other.value ?? ""] ?? "plain";
  }
  return tone;
}

function turnEntry(
  { id, chatbot, number, role, text, sources, spoken }: ReplayTurn,
  learner: string,
  at: number,
  t: TFunction,
): Entry {
  const isLearner = role === "user";
  const name = isLearner ? learner : chatbot;
  const line = spoken ? "replay.line.turnSpoken" : "replay.line.turnLearner";
  return {
    id: `t${id}`,
    t: at,
    lane: "chat",
    tone: isLearner ? "learner" : "chatbot",
    text: t(isLearner ? line : "replay.line.turnChatbot", { name, number }),
    detail: sources > 0 ? t("replay.line.sources", { text: short(text), count: sources }) : short(text),
    size: sizeOf(text),
  };
}

/** The spans during which each part was open. */
function partSpans({ parts }: Replay, events: SessionEvent[], duration: number): PartSpan[] {
  const real = parts.filter(({ isHeading }) => !isHeading);
  const visits = events.filter(({ type }) => type === "nav");
  return visits.map((event, i) => {
    const index = real.findIndex(({ sco }) => sco === event.sco);
    const to = visits[i + 1]?.t ?? duration;
    return { from: event.t, to, number: index + 1, title: real[index]?.title ?? event.sco ?? "", sco: event.sco ?? "" };
  });
}
