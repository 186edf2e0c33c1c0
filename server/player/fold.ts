import type { CompletionRule } from "#shared/courses.ts";
import type { AttemptState, Part, SessionEvent } from "#shared/player.ts";
import { readElement, seconds } from "#server/player/elements.ts";

// The rules of tracking, without any I/O: what a batch of events makes of an attempt (research/learning 4.3, 4.5)

export type PartState = {
  sco: string;
  cmi: Record<string, string>;
  suspendData: string | null;
  completion: "unknown" | "incomplete" | "completed";
  success: "unknown" | "passed" | "failed";
  scorePercent: number | null;
  progress: number | null;
  visits: number;
  terminated: boolean;
  reportedSeconds: number;
};
export type Answer = { sco: string; n: number; t: number; fields: Record<string, string> };
export type AttemptFacts = {
  completion: AttemptState["completion"];
  success: AttemptState["success"];
  progress: number | null;
  scorePercent: number | null;
  currentPart: string | null;
  reportedSeconds: number;
};
export type Course = { parts: Part[]; rule: CompletionRule; kind: "scorm12" | "scorm2004" | "html" };
export type Folded = {
  attempt: AttemptFacts;
  /** Parts that changed; `suspendData` undefined when it did not. */
  changed: Map<string, PartState>;
  answers: Map<string, Answer>;
  /** Seconds that each part reported in this session so far. */
  reported: Record<string, number>;
};
export type Before = { attempt: AttemptFacts; parts: Map<string, PartState>; reported: Record<string, number> };

export const newPart = (sco: string): PartState => ({
  sco,
  cmi: {},
  suspendData: null,
  completion: "unknown",
  success: "unknown",
  scorePercent: null,
  progress: null,
  visits: 0,
  terminated: false,
  reportedSeconds: 0,
});

/**
 * Applies events in order. `late` is true for the events of a session that another window has taken over: they may add
 * (time, answers, a better status), never overwrite what the newer session works with.
 */
export function fold(course: Course, before: Before, events: SessionEvent[], late: boolean): Folded {
  const changed = new Map<string, PartState>();
  const answers = new Map<string, Answer>();
  const reported = { ...before.reported };
  const attempt = { ...before.attempt };
  const partOf = (sco: string) => {
    const known = changed.get(sco);
    if (known) return known;
    const part = { ...(before.parts.get(sco) ?? newPart(sco)) };
    part.cmi = { ...part.cmi };
    changed.set(sco, part);
    return part;
  };
  let confirmed = false;
  for (const event of events) {
    const { sco } = event;
    if (event.type === "confirm") confirmed = true;
    if (sco === undefined || !course.parts.some((part) => part.sco === sco)) continue;
    if (event.type === "nav") {
      if (!late) attempt.currentPart = sco;
      partOf(sco).visits++;
    } else if (event.type === "scorm.init") {
      const part = partOf(sco);
      if (!late) part.terminated = false;
      reported[sco] = 0;
    } else if (event.type === "scorm.terminate") {
      if (!late) partOf(sco).terminated = true;
    } else if (event.type === "scorm.set" && event.key) {
      const mastered = course.parts.some(
        (part) => part.sco === sco && part.given["cmi.student_data.mastery_score"] !== undefined,
      );
      setElement(partOf(sco), event as SessionEvent & { key: string }, { mastered, answers, reported, attempt, late });
    }
  }
  for (const part of changed.values()) judgeMastery(course, part);
  return { attempt: judge(course, { ...attempt }, { before, changed }, confirmed), changed, answers, reported };
}

/** A session of more than a thousand hours is a package that counts from 1970, not learning. */
const LONGEST_SECONDS = 3_600_000;

type Sinks = {
  mastered: boolean;
  answers: Map<string, Answer>;
  reported: Record<string, number>;
  attempt: AttemptFacts;
  late: boolean;
};

function setElement(
  part: PartState,
  event: SessionEvent & { key: string },
  { mastered, answers, reported, attempt, late }: Sinks,
) {
  const value = event.value ?? "";
  const element = readElement(event.key);
  if (element.is === "answer") {
    const id = `${part.sco}\n${element.n}`;
    const answer = answers.get(id) ?? { sco: part.sco, n: element.n, t: event.t, fields: {} };
    answer.fields[element.field] = value;
    answer.t = event.t;
    answers.set(id, answer);
    return;
  }
  if (element.is === "sessionTime") {
    const now = seconds(value);
    if (now === null || now > LONGEST_SECONDS) return;
    const delta = now - (reported[part.sco] ?? 0);
    reported[part.sco] = now;
    part.reportedSeconds = Math.max(0, part.reportedSeconds + delta);
    attempt.reportedSeconds = Math.max(0, attempt.reportedSeconds + delta);
    return;
  }
  if (element.is === "request") return;
  if (element.is === "suspendData") {
    if (!late) part.suspendData = value;
  } else if (!late) part.cmi[event.key] = value;
  // Late, a part with a mastery score takes only the package's own "passed": its score may not be known any more.
  if (element.is === "status" && (!mastered || (late && value === "passed"))) setStatus(part, value);
  if (element.is === "success" && (value === "passed" || (value === "failed" && part.success !== "passed")))
    part.success = value;
  if (element.is === "score") setScore(part, late ? { ...part.cmi, [event.key]: value } : part.cmi, late);
  if (element.is === "progress") {
    const measure = Number(value);
    if (measure >= 0 && measure <= 1) part.progress = Math.max(part.progress ?? 0, measure);
  }
}

/**
 * A SCORM 1.2 part with a mastery score is judged by it (RTE 3.4.4, cmi.core.lesson_status): "completed" with a score means
 * passed or failed. It is looked at after the whole batch, because packages set status and score in either order.
 */
function judgeMastery(course: Course, part: PartState) {
  const given = course.parts.find(({ sco }) => sco === part.sco)?.given["cmi.student_data.mastery_score"];
  const status = part.cmi["cmi.core.lesson_status"];
  if (given === undefined || status === undefined) return;
  const raw = part.cmi["cmi.core.score.raw"] ?? "";
  const judged =
    status !== "completed" || raw.trim() === "" ? status : Number(raw) >= Number(given) ? "passed" : "failed";
  setStatus(part, judged);
}

/** Completion only ever rises, and so does a pass (research/learning 4.5): a review cannot undo a result. */
function setStatus(part: PartState, value: string) {
  if (value === "passed" || value === "completed") part.completion = "completed";
  else if (part.completion === "unknown" && value !== "not attempted" && value !== "unknown")
    part.completion = "incomplete";
  if (value === "passed") part.success = "passed";
  if (value === "failed" && part.success !== "passed") part.success = "failed";
}

/** 1.2: raw between min and max (0 and 100 when not said). 2004: scaled, else the same. After a pass the better score stays. */
function setScore(part: PartState, cmi: Record<string, string>, late: boolean) {
  const at = (name: string) => {
    const text = cmi[`cmi.score.${name}`] ?? cmi[`cmi.core.score.${name}`];
    return text === undefined || text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  const [scaled, raw, min, max] = [at("scaled"), at("raw"), at("min") ?? 0, at("max") ?? 100];
  const percent = scaled !== null ? scaled * 100 : raw !== null && max > min ? ((raw - min) / (max - min)) * 100 : null;
  if (percent === null || !Number.isFinite(percent)) return;
  const held = Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
  part.scorePercent =
    (late || part.success === "passed") && part.scorePercent !== null ? Math.max(part.scorePercent, held) : held;
}

/** A SCO is done when it reports so; an asset, which cannot report, when it was opened. */
export const isDone = (part: Part, state: PartState | undefined) =>
  state !== undefined &&
  (part.isSco ? state.completion === "completed" || state.success === "passed" : state.visits > 0);

/** The states of all parts in order, for the player's outline. */
export function partStates(course: Course, stateOf: (sco: string) => PartState | undefined): AttemptState["parts"] {
  return course.parts
    .filter((part) => part.href !== null)
    .map((part) => {
      const state = stateOf(part.sco);
      const open = state && (state.visits > 0 || state.completion !== "unknown");
      return {
        sco: part.sco,
        state: isDone(part, state) ? "done" : state?.success === "failed" ? "failed" : open ? "started" : "todo",
      };
    });
}

/** Rolls the parts up and evaluates the completion rule. Nothing that was reached is taken back. */
function judge(
  course: Course,
  attempt: AttemptFacts,
  from: { before: Before; changed: Map<string, PartState> },
  confirmed: boolean,
): AttemptFacts {
  const stateOf = (sco: string) => from.changed.get(sco) ?? from.before.parts.get(sco);
  const parts = course.parts.filter((part) => part.href !== null).map((part) => ({ part, state: stateOf(part.sco) }));
  const scos = parts.filter(({ part }) => part.isSco);
  const done = parts.filter(({ part, state }) => isDone(part, state)).length;
  const scores = parts.flatMap(({ state }) =>
    state?.scorePercent === null || state === undefined ? [] : [state.scorePercent],
  );
  const score = scores.length > 0 ? scores.reduce((sum, n) => sum + n, 0) / scores.length : null;
  const allDone = parts.length > 0 && done === parts.length;
  const success = scos.some(({ state }) => state?.success === "failed")
    ? "failed"
    : allDone && scos.some(({ state }) => state?.success === "passed")
      ? "passed"
      : "unknown";

  if (attempt.success !== "passed") attempt.success = success === "unknown" ? attempt.success : success;
  const keepsBest = attempt.success === "passed" || attempt.completion === "complete";
  if (score !== null) attempt.scorePercent = keepsBest ? Math.max(attempt.scorePercent ?? 0, score) : score;
  const { rule } = course;
  const reached = {
    reported: () => allDone,
    passed: () => attempt.success === "passed",
    score: () => score !== null && rule.kind === "score" && score >= rule.percent,
    opened: () => parts.every(({ state }) => (state?.visits ?? 0) > 0),
    confirmed: () => confirmed,
  }[rule.kind]();
  if (reached) attempt.completion = "complete";
  attempt.progress = progressOf(
    parts.map(({ part, state }) => ({ done: isDone(part, state), state })),
    attempt,
  );
  return attempt;
}

/** Percent of the way: parts that are done, plus what the open ones report of themselves. Null while a lone part says nothing. */
function progressOf(parts: { done: boolean; state: PartState | undefined }[], attempt: AttemptFacts) {
  if (attempt.completion === "complete") return 100;
  const share =
    parts.reduce((sum, { done, state }) => sum + (done ? 1 : (state?.progress ?? 0)), 0) / Math.max(1, parts.length);
  const silent = parts.length === 1 && !parts[0]?.done && (parts[0]?.state?.progress ?? null) === null;
  return silent ? null : Math.max(attempt.progress ?? 0, Math.round(share * 1000) / 10);
}
