import type { TFunction } from "i18next";
import { formatWait } from "#web/connectors/amounts.ts";
import { modelName } from "#web/connectors/modelName.ts";
import {
  type Entry,
  idleSpans,
  type Lane,
  short,
  sizeOf,
  type Timeline,
  timesOf,
  variableEntry,
} from "#web/reports/replay/timeline.ts";
import { indexVariables } from "#web/reports/replay/variableTracks.ts";
import { isOpenState } from "#shared/conversations/conversations.ts";
import type { ConversationReplay, ConversationReplayTurn, ReplayValue } from "#shared/reports/replays.ts";

const lanes = ["chat", "writing", "passages", "actions", "variables"] as const satisfies Lane[];
export type ConversationData = { turns: ConversationReplayTurn[]; values: ReplayValue[] };

/**
 * A turn with its times in ms since the start of the conversation: stored at `at`; for an answer, first word at `first`
 * and complete at `end`.
 */
export type TimedTurn = ConversationReplayTurn & {
  at: number;
  first: number;
  /** Infinity while it is still being written. */
  end: number;
  /** The preceding turn with the same parent: an earlier wording of the question, or an earlier answer. */
  instead: number | null;
};
/** State of an answer at a time: no word yet, being written, or ended. */
export const stateAt = ({ first, end }: TimedTurn, now: number) => {
  if (now >= end) return "ended";
  return now >= first ? "writing" : "waiting";
};

export type ConversationIndex = ReturnType<typeof indexConversation>;

/** The look-up tables of a replay, computed once. */
export function indexConversation(
  replay: ConversationReplay,
  { turns: stored, values }: ConversationData,
  t: TFunction,
) {
  const startsAt = Date.parse(replay.startedAt);
  const timeOf = (at: string) => Math.max(0, Date.parse(at) - startsAt);
  const turns = stored.map((turn) => toTimed(turn, stored, timeOf));
  const variables = indexVariables(replay, { events: [], values }, timeOf);
  const entries = [
    ...turns.flatMap((turn) => turnEntries(turn, replay, t)),
    ...variables.changes.map((change) => variableEntry(change, t)),
  ].toSorted((a, b) => a.t - b.t);
  // The only times at which the stage changes.
  const changes = turns.flatMap(({ at, first, end }) => [at, first, end]).filter((time) => time < Infinity);
  const activity = [...changes, ...variables.changes.map((change) => change.t)];
  const endedAt = replay.endedAt ? timeOf(replay.endedAt) : 0;
  const duration = activity.reduce((last, time) => Math.max(last, time), Math.max(1, endedAt));
  const timeline: Timeline = {
    lanes,
    entries,
    duration,
    idle: idleSpans(activity, duration),
    parts: [],
    partTimes: [],
    tracks: variables.tracks,
    changeTimes: timesOf(variables.changes),
    saving: { drawn: [], commits: 0 },
    writing: turns
      .filter(({ role, at, end }) => role === "assistant" && end > at)
      .map(({ at, first, end }) => ({ from: at, first: Math.min(first, end), to: Math.min(end, duration) })),
    startsAt,
  };
  return { ...timeline, turns, stageTimes: changes.toSorted((a, b) => a - b) };
}

function toTimed(turn: ConversationReplayTurn, turns: ConversationReplayTurn[], timeOf: (at: string) => number) {
  const { parentId, role, number, createdAt, firstAt, finishedAt, state } = turn;
  const at = timeOf(createdAt);
  const isOpen = isOpenState(state);
  const firstShown = Math.max(at, firstAt ? timeOf(firstAt) : at);
  const written = finishedAt ? timeOf(finishedAt) : firstShown;
  const end = isOpen ? Infinity : Math.max(at, written);
  return {
    ...turn,
    at,
    first: firstAt ? firstShown : end,
    end,
    instead:
      turns.findLast((one) => one.parentId === parentId && one.role === role && one.number < number)?.number ?? null,
  };
}

function turnEntries(turn: TimedTurn, replay: ConversationReplay, t: TFunction): Entry[] {
  return turn.role === "user" ? questionEntries(turn, replay, t) : answerEntries(turn, replay, t);
}

function questionEntries(
  { id, at, number, text, spoken, button, instead }: TimedTurn,
  { person }: ConversationReplay,
  t: TFunction,
): Entry[] {
  const name = person?.name ?? t("replay.conversation.visitor");
  const learnerEntry = { t: at, tone: "learner" } as const;
  const entries: Entry[] = [
    {
      ...learnerEntry,
      id: `t${id}`,
      lane: "chat",
      text: t(spoken ? "replay.line.turnSpoken" : "replay.line.turnLearner", { name, number }),
      detail: short(text),
      size: sizeOf(text),
    },
  ];
  if (button)
    entries.push({
      ...learnerEntry,
      id: `b${id}`,
      lane: "actions",
      text: t("replay.line.button", { label: button }),
      detail: t("replay.conversation.buttonPrompt"),
    });
  if (instead !== null)
    entries.push({
      ...learnerEntry,
      id: `i${id}`,
      lane: "actions",
      text: t("replay.conversation.edited", { number: instead }),
      detail: t("replay.conversation.branch", { number }),
    });
  return entries;
}

function answerEntries(turn: TimedTurn, { chatbot }: ConversationReplay, t: TFunction): Entry[] {
  const { id, at, first, end, number, text, state, sources, facts, instead } = turn;
  const entries: Entry[] = [];
  const say = (lane: Lane, time: number, tone: Entry["tone"], line: string, detail: string, size?: number) =>
    entries.push({
      id: `${lane}${tone}${id}`,
      t: time,
      lane,
      tone,
      text: line,
      detail,
      ...(size !== undefined && { size }),
    });
  if (instead !== null)
    say(
      "actions",
      at,
      "learner",
      t("replay.conversation.again", { number: instead }),
      t("replay.conversation.branch", { number }),
    );
  if (facts && facts.retrievalMs !== null)
    say(
      "passages",
      at,
      "plain",
      t("replay.line.passages", { count: facts.passages.length, wait: formatWait(facts.retrievalMs, t) }),
      short([...new Set(facts.passages.map(({ title }) => title))].join(", ")),
    );
  if (first < end)
    say(
      "writing",
      first,
      "plain",
      t("replay.conversation.firstWord", { name: chatbot }),
      [t("replay.line.firstWord", { wait: formatWait(first - at, t) }), facts?.model && modelName(facts.model, t)]
        .filter(Boolean)
        .join(", "),
    );
  const line = t("replay.line.turnChatbot", { name: chatbot, number });
  // An answer that has not ended has no text yet.
  if (end === Infinity) say("chat", at, "chatbot", line, t("replay.conversation.open"));
  else
    say(
      "chat",
      end,
      "chatbot",
      line,
      sources.length > 0 ? t("replay.line.sources", { text: short(text), count: sources.length }) : short(text),
      sizeOf(text),
    );
  const isBad = state === "failed" || state === "cut";
  if (state !== "done" && end < Infinity)
    say("writing", end, isBad ? "bad" : "warn", t(`chatbots.talks.states.${state}`), line);
  return entries;
}

/** The turns of the branch that was on screen at a time: that of the newest turn. */
export function branchAt(turns: TimedTurn[], now: number): TimedTurn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const branch: TimedTurn[] = [];
  let turn = turns.findLast(({ at }) => at <= now);
  while (turn) {
    branch.unshift(turn);
    turn = turn.parentId ? byId.get(turn.parentId) : undefined;
  }
  return branch;
}
