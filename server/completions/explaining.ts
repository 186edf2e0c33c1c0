import type { AttemptRow, EnrolmentRow } from "#server/completions/enrolmentRow.ts";
import type { Db } from "#server/core/database/db.ts";
import { listHidden } from "#server/core/database/measured.ts";
import { readContents } from "#server/lessons/contents.ts";
import { readFacts } from "#server/player/completionRule.ts";
import { fold } from "#server/player/fold.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { MAX_PROGRESS } from "#server/player/outcomes.ts";
import { constantsOf, NEW_ATTEMPT, STORED_QUIZZES } from "#server/player/replay.ts";
import { readRuleValues } from "#server/player/ruleValues.ts";
import { readPartStates } from "#server/player/sessionState.ts";
import type { Course, PartState } from "#server/player/trackingState.ts";
import type { ConditionState, MissingPart, RuleState } from "#shared/completions/completions.ts";
import { explainRule, type TestState } from "#shared/courses/completionState.ts";
import { variablesOfRule } from "#shared/courses/completion.ts";
import { isWrittenHere } from "#shared/courses/completionRules.ts";
import { NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { NEW_TREE } from "#shared/sequencing/sequenceEvents.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

/** Who reads it: learners see only variables that are meant for them, and managers none. */
export type Reader = "admin" | "learner" | "manager";
type Places = (test: TestState["test"]) => ConditionState["replay"];
type Enrolment = Pick<EnrolmentRow, "enrolmentId" | "userId" | "companyId" | "courseId" | "rule" | "liveVersionId">;

/** A stored or compared text is shown up to this length. */
const MAX_TEXT = 200;

/**
 * The conditions of the rule of a course and how an attempt stands to them, or someone without an attempt, with the
 * number of the version. The state is null without a version.
 */
export async function explainEnrolment(db: Db, enrolment: Enrolment, attempt: AttemptRow | null, reader: Reader) {
  const versionId = attempt?.versionId ?? enrolment.liveVersionId;
  if (versionId === null)
    return { state: null, version: null, kind: "html" as const, course: null, done: null, isAllShown: true };
  const version = await db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .select(["parts", "kind", "number", "isSequenced"])
    .executeTakeFirstOrThrow();
  const { rule } = enrolment;
  const contents = isWrittenHere(version.kind) ? await readContents(db, versionId) : null;
  const course: Course = {
    parts: version.parts,
    rule,
    isSequenced: version.isSequenced,
    ...(contents && { lessons: contents.lessons, extra: await readAllowances(db, enrolment.enrolmentId) }),
  };
  const stored = attempt ? await readPartStates(db, attempt.id) : new Map<string, PartState>();
  const origin = { ...enrolment, attemptId: attempt?.id ?? null, versionId };
  const known = { activeSeconds: attempt?.activeSeconds ?? 0, ruleValues: await readRuleValues(db, rule, origin) };
  // Without events, the fold ends quizzes whose time is over, as the next commit would.
  const before = {
    attempt: attempt ? { ...attempt, sequencing: attempt.root && { ...NEW_TREE, root: attempt.root } } : NEW_ATTEMPT,
    parts: stored,
    reported: {},
    variables: constantsOf(stored.values()),
  };
  const last = fold(course, { ...before, ...known, quizzes: { ...STORED_QUIZZES, now: Date.now() } }, [], false);
  const parts = new Map([...stored, ...last.changed]);
  const facts = readFacts(course, last.attempt, parts, { ...known, variables: last.variables });
  const { show, isAllShown } = await createShow(db, enrolment, course, parts, reader);
  const explained = explainRule(rule, facts);
  const state = (placeOf: Places): RuleState => ({
    ...explained,
    tests: explained.tests.map((test) =>
      "tests" in test ? { ...test, tests: test.tests.map((one) => show(one, placeOf)) } : show(test, placeOf),
    ),
  });
  const progress = Math.min(MAX_PROGRESS, last.attempt.progress ?? 0);
  const done = {
    progress: last.attempt.progress === null ? null : progress,
    partsDone: facts.parts.filter(({ isDone }) => isDone).length,
  };
  return { state, version: version.number, kind: version.kind, course, done, isAllShown };
}

/** The progress of an attempt that is not complete, by the states of its parts, and how many of them are done. */
export async function readProgress(db: Db, enrolment: Enrolment, attempt: AttemptRow) {
  const { done } = await explainEnrolment(db, enrolment, attempt, "admin");
  return done ?? { progress: null, partsDone: 0 };
}

/** A condition as it is sent: with names, attempts at quizzes, and without values that the reader may not see. */
async function createShow(
  db: Db,
  { courseId, companyId, rule }: Enrolment,
  course: Course,
  states: Map<string, PartState>,
  reader: Reader,
) {
  const variables = await readVariables(db, courseId, variablesOfRule(rule));
  const openable = new Map(course.parts.flatMap((part) => (part.href === null ? [] : [[part.sco, part] as const])));
  const showPart = ({ sco, title }: { sco: string; title: string }): MissingPart => {
    const quiz = course.lessons?.get(sco)?.quiz;
    if (!quiz) return { sco, title };
    const { started = 0, open = null } = states.get(sco)?.lesson?.quiz ?? {};
    const extra = course.extra?.get(sco) ?? NO_ALLOWANCE;
    const left = quiz.attempts === null ? null : Math.max(0, quiz.attempts + extra.attempts - started) + Number(!!open);
    return { sco, title, attemptsLeft: left };
  };
  // Learners see what is their own.
  const hidden = await listHidden(db, null, reader === "learner" ? [] : [companyId]);
  const isSwitchedOff = ({ kind }: TestState["test"]) =>
    (kind === "time" && hidden.has("activeTime")) ||
    ((kind === "score" || kind === "partScore") && hidden.has("scores"));
  const isHiddenFrom = (reader: Reader, key: string) => {
    const variable = variables.get(key);
    if (reader === "manager" || !variable || variable.privacy === "sensitive") return true;
    return reader === "learner" && !variable.learnerVisible;
  };
  const show = ({ test, value, limit, missing, isMet }: TestState, placeOf: Places): ConditionState => {
    const nothing = { value: null, limit: null, missing: [], label: null, part: null, replay: null };
    if (test.kind === "variable" && isHiddenFrom(reader, test.key))
      return { test: { kind: "hidden" }, isMet, ...nothing };
    const named = "sco" in test ? openable.get(test.sco) : undefined;
    return {
      test,
      isMet,
      value: isSwitchedOff(test) ? null : textOf(value),
      limit: textOf(limit),
      missing: missing.map(showPart),
      label: test.kind === "variable" ? (variables.get(test.key)?.label ?? test.key) : null,
      part: named ? showPart(named) : null,
      replay: hidden.has("replay") ? null : placeOf(test),
    };
  };
  return { show, isAllShown: !variablesOfRule(rule).some((key) => isHiddenFrom("learner", key)) };
}

async function readVariables(db: Db, courseId: string, keys: string[]) {
  if (keys.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("variableCourses.courseId", "=", courseId)
    .where("variableCourses.key", "in", keys)
    .select(["variableCourses.key", "variables.label", "variables.privacy", "variables.learnerVisible"])
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

function textOf(value: VariableValue): ConditionState["value"] {
  const shown = value !== null && typeof value === "object" ? JSON.stringify(value) : value;
  return typeof shown === "string" ? shown.slice(0, MAX_TEXT) : shown;
}
