import { evaluateCompletion } from "#server/player/completionRule.ts";
import { readElement } from "#server/player/dataModelElements.ts";
import { applyMoveOn, isSatisfiedByOpening, moveOnOf } from "#server/player/activities/moveOn.ts";
import {
  type Answer,
  ANSWERS_PER_ATTEMPT,
  type AttemptFacts,
  type Course,
  endOfVisit,
  newPartState,
  type PartState,
  type RefusedEvent,
} from "#server/player/trackingState.ts";
import {
  factsOf,
  foldLessonEvent,
  isLessonEvent,
  type QuizClock,
  quizClock,
  rateLesson,
  settleQuizzes,
  type Stamp,
} from "#server/player/lessonFold.ts";
import { foldSequence } from "#server/player/sequencing/fold.ts";
import { type RuleValues, valueOfRule } from "#server/player/ruleValues.ts";
import { createSessionVariables, type DeclaredVariable } from "#shared/player/sessionVariables.ts";
import { roundPercent } from "#shared/core/percent.ts";
import { isRootDone } from "#shared/sequencing/rootResult.ts";
import { SERVER_SEQ } from "#shared/player/playerTiming.ts";
import { reportsByStatements } from "#shared/player/activities.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { endsVisit, hasEndedAttempt, NAVIGATION_REQUEST, parseSeconds, UNLOADED } from "#shared/player/runTimeData.ts";

// The tracking rules as a pure function: applies a batch of events to the state of an attempt.

export type FoldResult = {
  attempt: AttemptFacts;
  /** The parts that changed. */
  changed: Map<string, PartState>;
  answers: Map<string, Answer>;
  /** Session time that each part has reported in this session, in seconds. */
  reported: Record<string, number>;
  /** Events of lessons that change nothing. */
  refused: RefusedEvent[];
  /** What is to be stored with events of lessons, by their number. */
  judged: Map<number, Stamp>;
  /** The variables after the events; empty unless conditions of lessons depend on any. */
  variables: DeclaredVariable[];
};
/**
 * `variables`: those on which conditions of lessons depend; `ruleValues`: of those that the completion rule asks for;
 * `activeSeconds`: in the attempt, the batch included.
 */
export type FoldInput = {
  attempt: AttemptFacts;
  parts: Map<string, PartState>;
  reported: Record<string, number>;
  startedAt?: string;
  variables?: DeclaredVariable[];
  ruleValues?: RuleValues;
  activeSeconds?: number;
  quizzes?: QuizClock;
};

/**
 * Applies events in order. `isLate` is set for the events of a session that another window has superseded: they may
 * add time, answers and a better status, but never overwrite the state that the newer session works with. Statements
 * (cmi5, xAPI) are never late: the record store refuses those of an earlier launch.
 */
export function fold(course: Course, before: FoldInput, events: SessionEvent[], isLate: boolean): FoldResult {
  const changed = new Map<string, PartState>();
  const answers = new Map<string, Answer>();
  const reported = { ...before.reported };
  const attempt = { ...before.attempt };
  const changePart = (sco: string) => {
    const alreadyChanged = changed.get(sco);
    if (alreadyChanged) return alreadyChanged;
    const part = { ...(before.parts.get(sco) ?? newPartState(sco)) };
    part.cmi = { ...part.cmi };
    changed.set(sco, part);
    return part;
  };
  /** The activity tree as a superseded session has left it: it may complete the attempt, and is not kept. */
  let lateTree: AttemptFacts["sequencing"] = null;
  const refused: RefusedEvent[] = [];
  const judged = new Map<number, Stamp>();
  const quizzes = before.quizzes ?? quizClock();
  const variables = createSessionVariables(before.variables ?? []);
  const lessonContext = {
    course,
    startedAt: before.startedAt ?? new Date(0).toISOString(),
    addOnly: isLate,
    answers,
    refused,
    judged,
    quizzes,
  };
  for (const event of events) {
    const { sco } = event;
    if (event.type === "confirm") attempt.confirmed = true;
    if (event.type === "sequence" && course.isSequenced) {
      const tree = foldSequence((isLate && lateTree) || (attempt.sequencing ?? null), event);
      if (isLate) lateTree = tree;
      else attempt.sequencing = tree;
    }
    if (course.lessons) variables.apply(event);
    const kind = course.parts.find((part) => part.sco === sco)?.kind;
    if (sco === undefined || kind === undefined) continue;
    const isReported = reportsByStatements(kind);
    // What such a part has done is said by statements, which become events of the server.
    if (isReported && event.type !== "nav" && event.seq <= SERVER_SEQ) continue;
    const addOnly = isLate && !isReported;
    if (event.type === "nav") {
      const part = changePart(sco);
      part.visits++;
      if (isSatisfiedByOpening(course, sco)) part.completion = "completed";
      if (!isLate) {
        attempt.currentPart = sco;
        if (hasEndedAttempt(kind, endOfVisit(part))) beginLearnerAttempt(part);
      }
    } else if (kind === "lesson") {
      if (isLessonEvent(event)) foldLessonEvent(changePart(sco), event, lessonContext);
    } else if (event.type === "complete" && kind === "html") {
      reportCompletion(changePart(sco), event.value ?? "", addOnly);
    } else if (event.type === "scorm.init") {
      const part = changePart(sco);
      if (!addOnly) beginVisit(part);
      reported[sco] = 0;
    } else if (event.type === "scorm.terminate") {
      if (!addOnly) endVisit(changePart(sco), event.value === UNLOADED);
    } else if (event.type === "scorm.set" && event.key) {
      const context = {
        isRatedLater: masteryScoreOf(course, sco) !== undefined || moveOnOf(course, sco) !== undefined,
        answers,
        reported,
        attempt,
        addOnly,
      };
      setElement(changePart(sco), event as SetEvent, context);
    }
  }
  const after = () => new Map([...before.parts, ...changed]).values();
  for (const part of settleQuizzes(course, after(), quizzes.now)) changed.set(part.sco, part);
  const facts = factsOf(course, after(), variables.valueOf);
  for (const part of changed.values()) {
    applyMasteryScore(course, part);
    applyMoveOn(course, part);
    rateLesson(course, part, facts);
  }
  const stateOf = (sco: string) => changed.get(sco) ?? before.parts.get(sco);
  const evaluate = (one: AttemptFacts) =>
    evaluateCompletion(course, one, stateOf, {
      facts,
      activeSeconds: before.activeSeconds ?? 0,
      value: (key) => valueOfRule(before.ruleValues, key),
    });
  const isCompleteLate = lateTree !== null && isRootDone(lateTree.root);
  const early = isCompleteLate ? evaluate({ ...attempt, sequencing: lateTree }) : attempt;
  return {
    attempt: evaluate({ ...early, sequencing: attempt.sequencing ?? null }),
    changed,
    answers,
    reported,
    refused,
    judged,
    variables: course.lessons ? variables.current() : [],
  };
}

/** New run-time data; the results of the part stay. */
function beginLearnerAttempt(part: PartState) {
  part.cmi = {};
  part.suspendData = null;
  part.learnerAttempt++;
  part.secondsBefore = part.reportedSeconds;
}

/** A web page has called `Lyceum.complete`; the completion rule decides whether this completes the attempt. */
function reportCompletion(part: PartState, percent: string, addOnly: boolean) {
  part.completion = "completed";
  const score = Number(percent);
  if (percent.trim() === "" || !(score >= 0 && score <= 100)) return;
  part.scorePercent = addOnly ? Math.max(part.scorePercent ?? 0, score) : score;
}

/** Exit and navigation request apply to one visit only. */
function beginVisit(part: PartState) {
  part.terminated = false;
  for (const name of ["cmi.core.exit", "cmi.exit", NAVIGATION_REQUEST]) delete part.cmi[name];
}

function endVisit(part: PartState, isUnloaded: boolean) {
  const hasExit = part.cmi["cmi.core.exit"] !== undefined || part.cmi["cmi.exit"] !== undefined;
  part.terminated = endsVisit({ isUnloaded, hasExit });
}

/** Session times above 1000 hours are ignored: some packages report the seconds since 1970. */
const MAX_SESSION_SECONDS = 3_600_000;

type SetEvent = SessionEvent & { key: string };
type SetContext = {
  /** Status and success of the part are decided after the batch. */
  isRatedLater: boolean;
  answers: Map<string, Answer>;
  reported: Record<string, number>;
  attempt: AttemptFacts;
  addOnly: boolean;
};

function setElement(part: PartState, event: SetEvent, context: SetContext) {
  const { isRatedLater, addOnly } = context;
  const value = event.value ?? "";
  const element = readElement(event.key);
  if (element.kind === "answer") return setAnswer(part, event, element, context.answers);
  if (element.kind === "sessionTime") return addSessionTime(part, value, context);
  if (element.kind === "suspendData") {
    if (!addOnly) part.suspendData = value;
  } else if (!addOnly) part.cmi[event.key] = value;
  // In add-only mode the current score is unknown, so a part with a mastery score accepts only an explicit "passed".
  if (element.kind === "status" && (!isRatedLater || (addOnly && value === "passed"))) setStatus(part, value);
  const isSuccess = value === "passed" || (value === "failed" && part.success !== "passed");
  if (element.kind === "success" && isSuccess && !isRatedLater) part.success = value;
  if (element.kind === "score") setScore(part, addOnly ? { ...part.cmi, [event.key]: value } : part.cmi, addOnly);
  if (element.kind === "progress") {
    const measure = Number(value);
    if (measure >= 0 && measure <= 1) part.progress = Math.max(part.progress ?? 0, measure);
  }
}

function setAnswer(
  part: PartState,
  { t, value = "" }: SetEvent,
  { n: index, field }: { n: number; field: string },
  answers: Map<string, Answer>,
) {
  const n = part.learnerAttempt * ANSWERS_PER_ATTEMPT + index;
  const id = `${part.sco}\n${n}`;
  const answer = answers.get(id) ?? { sco: part.sco, n, t, fields: {} };
  answer.fields[field] = value;
  answer.t = t;
  answers.set(id, answer);
}

/** Session time is cumulative within a session, so only the difference to the last report is added. */
function addSessionTime(part: PartState, value: string, { reported, attempt }: SetContext) {
  const total = parseSeconds(value);
  if (total === null || total > MAX_SESSION_SECONDS) return;
  const delta = total - (reported[part.sco] ?? 0);
  reported[part.sco] = total;
  part.reportedSeconds = Math.max(0, part.reportedSeconds + delta);
  attempt.reportedSeconds = Math.max(0, attempt.reportedSeconds + delta);
}

const masteryScoreOf = (course: Course, sco: string) =>
  course.parts.find((part) => part.sco === sco)?.given["cmi.student_data.mastery_score"];

/**
 * A mastery score overrides "completed" with passed or failed once the part has a score (SCORM 1.2 RTE 3.4.4,
 * cmi.core.lesson_status). Applied after the whole batch because packages set status and score in either order.
 */
function applyMasteryScore(course: Course, part: PartState) {
  const masteryScore = masteryScoreOf(course, part.sco);
  const status = part.cmi["cmi.core.lesson_status"];
  if (masteryScore === undefined || status === undefined) return;
  const score = part.cmi["cmi.core.score.raw"] ?? "";
  if (status !== "completed" || score.trim() === "") return setStatus(part, status);
  setStatus(part, Number(score) >= Number(masteryScore) ? "passed" : "failed");
}

/** Completion and a pass are never taken back, so reviewing a completed course cannot undo its result. */
function setStatus(part: PartState, value: string) {
  if (value === "passed" || value === "completed") part.completion = "completed";
  else if (part.completion === "unknown" && value !== "not attempted" && value !== "unknown")
    part.completion = "incomplete";
  if (value === "passed") part.success = "passed";
  if (value === "failed" && part.success !== "passed") part.success = "failed";
}

/**
 * Sets the score in percent. SCORM 1.2: raw between min and max (default 0 and 100); 2004: scaled, otherwise the same.
 * After a pass, and in add-only mode, the better score is kept.
 */
function setScore(part: PartState, cmi: Record<string, string>, addOnly: boolean) {
  const percent = percentOf(cmi);
  if (percent === null || !Number.isFinite(percent)) return;
  const score = roundPercent(Math.min(100, Math.max(0, percent)), 2);
  const keepsBest = (addOnly || part.success === "passed") && part.scorePercent !== null;
  part.scorePercent = keepsBest ? Math.max(part.scorePercent ?? 0, score) : score;
}

function percentOf(cmi: Record<string, string>): number | null {
  const read = (name: string) => {
    const text = cmi[`cmi.score.${name}`] ?? cmi[`cmi.core.score.${name}`];
    return text === undefined || text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  const scaled = read("scaled");
  if (scaled !== null) return scaled * 100;
  const [raw, min, max] = [read("raw"), read("min") ?? 0, read("max") ?? 100];
  return raw !== null && max > min ? ((raw - min) / (max - min)) * 100 : null;
}
