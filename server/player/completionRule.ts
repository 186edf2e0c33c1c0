import type { AttemptFacts, Course, PartState } from "#server/player/trackingState.ts";
import { factsOf } from "#server/player/lessonFold.ts";
import { findClosedParts } from "#server/player/prerequisites.ts";
import { type RuleValues, valueOfRule } from "#server/player/ruleValues.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import { roundPercent } from "#shared/core/percent.ts";
import { isRootDone, type RootResult, successOfRoot } from "#shared/sequencing/rootResult.ts";
import { lessonResult, scoreOf } from "#shared/lessons/lessonResult.ts";
import { type CompletionFacts, isComplete } from "#shared/courses/completion.ts";
import type { ExplainedFacts } from "#shared/courses/completionState.ts";
import { type AttemptState, isListed, type Part } from "#shared/player/player.ts";
import { createSessionVariables, type DeclaredVariable } from "#shared/player/sessionVariables.ts";

type PartWithState = { part: Part; state: PartState | undefined };
type StateOf = (sco: string) => PartState | undefined;
type PartStates = ReadonlyMap<string, PartState>;

const openableParts = (course: Course, stateOf: StateOf): PartWithState[] =>
  course.parts.filter(isListed).map((part) => ({ part, state: stateOf(part.sco) }));

/**
 * Rolls up the states of the parts and evaluates the completion rule of the course. Returns the attempt with its new
 * completion, success, score and progress. Completion and a pass are never taken back.
 */
export function evaluateCompletion(
  course: Course,
  before: AttemptFacts,
  stateOf: StateOf,
  { facts, ...more }: { facts: Facts } & Known,
): AttemptFacts {
  const attempt = { ...before };
  const parts = openableParts(course, stateOf);
  const root = rootOf(course, attempt);
  const score = root ? scoreOfRoot(root) : averageScore(course, parts, facts);
  const allDone = parts.length > 0 && parts.every(({ part, state }) => isPartDone(part, state));
  const success = root ? successOfRoot(root) : rollUpSuccess(parts, allDone);
  if (attempt.success !== "passed" && success !== "unknown") attempt.success = success;

  const keepsBest = attempt.success === "passed" || attempt.completion === "complete";
  if (score !== null) attempt.scorePercent = keepsBest ? Math.max(attempt.scorePercent ?? 0, score) : score;

  if (!course.isOver && isComplete(course.rule, toCompletionFacts(attempt, parts, score, root, more)))
    attempt.completion = "complete";
  attempt.progress = progressOf(parts, attempt);
  return attempt;
}

/** What the fold does not know by itself; `value`: the value of a variable that the rule asks for, by its key. */
type Known = Pick<CompletionFacts, "activeSeconds" | "value">;

/** The result of a package with sequencing rules is that of the root of its activity tree. */
const rootOf = ({ isSequenced }: Course, { sequencing }: AttemptFacts): RootResult | null =>
  isSequenced && sequencing ? sequencing.root : null;
const scoreOfRoot = ({ measure }: RootResult) =>
  measure === null ? null : roundPercent(Math.max(0, measure) * 100, 2);

const toCompletionFacts = (
  { success, confirmed }: AttemptFacts,
  parts: PartWithState[],
  scorePercent: number | null,
  root: RootResult | null,
  known: Known,
): ExplainedFacts => ({
  ...known,
  isReported: root ? isRootDone(root) : parts.length > 0 && parts.every(isReported),
  isPassed: success === "passed",
  areAllOpened: parts.every(({ state }) => (state?.visits ?? 0) > 0),
  isConfirmed: confirmed,
  scorePercent,
  parts: parts.map(({ part, state }) => ({
    sco: part.sco,
    title: part.title,
    isReported: isReported({ part, state }),
    isOpened: (state?.visits ?? 0) > 0,
    isFailed: part.isSco && state?.success === "failed",
    isDone: isPartDone(part, state),
    scorePercent: state?.scorePercent ?? null,
  })),
  part(sco) {
    const found = parts.find(({ part }) => part.sco === sco);
    if (!found) return null;
    const { part, state } = found;
    return {
      isDone: isReported({ part, state }),
      isPassed: state?.success === "passed",
      scorePercent: state?.scorePercent ?? null,
    };
  },
});

/** A web page without a run-time reports with `Lyceum.complete`; that it was opened does not count. */
const isReported = ({ part, state }: PartWithState) =>
  part.kind === "html" ? state?.completion === "completed" : isPartDone(part, state);

/** What the tests of a completion rule compare, of an attempt as it is. */
export function readFacts(
  course: Course,
  attempt: AttemptFacts,
  states: PartStates,
  {
    activeSeconds,
    ruleValues,
    variables,
  }: { activeSeconds: number; ruleValues: RuleValues; variables: DeclaredVariable[] },
): ExplainedFacts {
  const stateOf = (sco: string) => states.get(sco);
  const parts = openableParts(course, stateOf);
  const facts = factsOf(course, states.values(), createSessionVariables(variables).valueOf);
  const root = rootOf(course, attempt);
  const score = root ? scoreOfRoot(root) : averageScore(course, parts, facts);
  return toCompletionFacts(attempt, parts, score, root, {
    activeSeconds,
    value: (key) => valueOfRule(ruleValues, key),
  });
}

/** A SCO is done when it reports completed or passed; an asset, which cannot report, once it was opened. */
export const isPartDone = (part: Part, state: PartState | undefined) =>
  state !== undefined &&
  (part.isSco ? state.completion === "completed" || state.success === "passed" : state.visits > 0);

export const countPartsDone = ({ course, parts }: { course: Course; parts: PartStates }) =>
  course.parts.filter((part) => isListed(part) && isPartDone(part, parts.get(part.sco))).length;

/** The states of all parts in the order of the table of contents, for the outline of the player. */
export function listPartStates(course: Course, stateOf: StateOf): AttemptState["parts"] {
  const closed = findClosedParts(course, stateOf);
  return course.parts
    .filter((part) => part.href !== null)
    .map((part) => {
      const waitsFor = closed.get(part.sco);
      return { sco: part.sco, state: displayState(part, stateOf(part.sco)), ...(waitsFor && { waitsFor }) };
    });
}

function displayState(part: Part, state: PartState | undefined): AttemptState["parts"][number]["state"] {
  if (isPartDone(part, state)) return "done";
  if (state?.success === "failed") return "failed";
  return state && (state.visits > 0 || state.completion !== "unknown") ? "started" : "todo";
}

/**
 * The mean of the scores that packages have reported, in percent, and of the score of all lessons together, which
 * counts questions that are still open; null without any.
 */
function averageScore({ lessons, extra }: Course, parts: PartWithState[], facts: Facts): number | null {
  const results = parts.flatMap(({ part, state }) => {
    const document = lessons?.get(part.sco);
    return document ? [lessonResult(document, state?.lesson ?? null, facts, extra?.get(part.sco))] : [];
  });
  const ofPackages = parts.filter(({ part }) => part.kind !== "lesson");
  const scores = [...ofPackages.map(({ state }) => state?.scorePercent ?? null), scoreOf(results)].filter(
    (score) => score !== null,
  );
  return scores.length > 0 ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null;
}

/** Failed if one SCO failed; passed if all parts are done and at least one SCO passed. */
function rollUpSuccess(parts: PartWithState[], allDone: boolean): AttemptFacts["success"] {
  const scos = parts.filter(({ part }) => part.isSco);
  if (scos.some(({ state }) => state?.success === "failed")) return "failed";
  return allDone && scos.some(({ state }) => state?.success === "passed") ? "passed" : "unknown";
}

/** Progress of an attempt that is not complete, in percent: 100 would contradict "in progress". */
const MAX_UNFINISHED_PROGRESS = 99;

/**
 * Progress in percent: completed parts plus the reported progress of the others. Null while a single part reports
 * nothing; an asset never does, and that it was opened says nothing about progress.
 */
function progressOf(parts: PartWithState[], attempt: AttemptFacts): number | null {
  if (attempt.completion === "complete") return 100;
  const shares = parts.map(({ part, state }) => (isPartDone(part, state) ? 1 : (state?.progress ?? null)));
  if (parts.length === 1 && (shares[0] === null || !parts[0]?.part.isSco)) return null;
  const sum = shares.reduce<number>((total, share) => total + (share ?? 0), 0);
  const progress = Math.round((sum / Math.max(1, parts.length)) * 1000) / 10;
  return Math.min(MAX_UNFINISHED_PROGRESS, Math.max(attempt.progress ?? 0, progress));
}
