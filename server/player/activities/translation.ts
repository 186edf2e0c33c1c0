import { CATEGORY, PROGRESS, unitVerbOf, type UnitVerb, VERBS } from "#server/player/activities/vocabulary.ts";
import { activityOf, contextIds } from "#server/player/activities/statement.ts";
import type { ServerEvent } from "#server/player/activities/serverEvents.ts";
import type { Result, Statement } from "#shared/statements/xapi.ts";

// What a statement means for the outcome of a part, as elements of the SCORM 2004 data model: fold, answers, mapped
// variables, reports and replays know them already.

/** `activityId`: that of the launch; `nextAnswer`: the number of the next answer of the part. */
type Launched = { kind: "cmi5" | "xapi"; sco: string; activityId: string; nextAnswer: number };

const MAX_TEXT_CHARS = 4000;
const MAX_PATTERNS = 20;
/** The last number of an answer that the data model has. */
export const MAX_ANSWERS = 99_999;

/** The events of statements in their order; those that say nothing about the outcome have none. */
export function toEvents(statements: Statement[], launched: Launched): ServerEvent[] {
  let { nextAnswer } = launched;
  return statements.flatMap((statement) => {
    const answer = readAnswer(statement);
    if (!answer) return readOutcome(statement, launched);
    const element = `cmi.interactions.${Math.min(MAX_ANSWERS, nextAnswer++)}`;
    return answer.map(([field, value]) => set(launched.sco, `${element}.${field}`, value));
  });
}

const set = (sco: string, key: string, value: string): ServerEvent => ({
  type: "scorm.set",
  sco,
  key,
  // A cut may leave half of a surrogate pair, which PostgreSQL refuses.
  value: value.slice(0, MAX_TEXT_CHARS).toWellFormed(),
});

function readOutcome(statement: Statement, { kind, sco, activityId }: Launched): ServerEvent[] {
  if (activityOf(statement)?.id !== activityId) return [];
  const { result = {} } = statement;
  const progress = readProgress(result);
  const isDefined = kind === "xapi" || contextIds(statement, "category").includes(CATEGORY.cmi5);
  const verb = isDefined ? unitVerbOf(statement.verb.id) : null;
  const elements = [
    ...(progress === null ? [] : [["cmi.progress_measure", String(progress)] as const]),
    ...(kind === "xapi" ? anyOutcome(verb, result) : unitOutcome(verb, result)),
  ];
  return [
    ...(verb === "initialized" ? [{ type: "scorm.init" as const, sco }] : []),
    ...elements.map(([key, value]) => set(sco, key, value)),
    ...(verb === "terminated" ? [{ type: "scorm.terminate" as const, sco }] : []),
  ];
}

type Elements = (readonly [string, string])[];

function unitOutcome(verb: UnitVerb | null, { score, duration }: Result): Elements {
  if (verb === "completed") return [["cmi.completion_status", "completed"]];
  if (verb === "passed" || verb === "failed") return [...readScore(score), ["cmi.success_status", verb]];
  return verb === "terminated" && duration !== undefined ? [["cmi.session_time", duration]] : [];
}

/** Content without the rules of cmi5: the verb counts, or what the result says of completion and success. */
function anyOutcome(verb: UnitVerb | null, { score, success, completion, duration }: Result): Elements {
  const isPassed = verb === "passed" || (verb !== "failed" && success === true);
  const isFailed = verb === "failed" || (verb !== "passed" && success === false);
  const isCompleted = verb === "completed" || completion === true;
  return [
    ...readScore(score),
    ...(isCompleted ? [["cmi.completion_status", "completed"] as const] : []),
    ...(isPassed || isFailed ? [["cmi.success_status", isPassed ? "passed" : "failed"] as const] : []),
    ...(verb === "terminated" && duration !== undefined ? [["cmi.session_time", duration] as const] : []),
  ];
}

/** The scaled score is always set, because it counts before the others. */
function readScore(score: NonNullable<Result["score"]> = {}): Elements {
  const { raw, min = 0, max = 100 } = score;
  const scaled = score.scaled ?? (raw !== undefined && max > min ? (raw - min) / (max - min) : undefined);
  if (scaled === undefined) return [];
  const given = (["raw", "min", "max"] as const).flatMap((name) =>
    score[name] === undefined ? [] : [[`cmi.score.${name}`, String(score[name])] as const],
  );
  return [...given, ["cmi.score.scaled", String(scaled)]];
}

/** From 0 to 1 (cmi5 9.5.5.1 says percent). */
function readProgress({ extensions }: Result): number | null {
  const percent = extensions?.[PROGRESS];
  return typeof percent === "number" && percent >= 0 && percent <= 100 ? percent / 100 : null;
}

const results = ["incorrect", "correct"] as const;

/** The fields of an answer by their names in cmi.interactions; null for other statements. */
function readAnswer(statement: Statement): [string, string][] | null {
  const { verb, result = {} } = statement;
  const activity = activityOf(statement);
  const { definition } = activity ?? {};
  if (verb.id !== VERBS.answered || !activity || typeof definition?.interactionType !== "string") return null;
  const patterns = definition.correctResponsesPattern;
  const text = definition.description ?? definition.name ?? {};
  const description = text[Object.keys(text).find((tag) => /^en\b/i.test(tag)) ?? Object.keys(text)[0] ?? ""];
  const fields: [string, string | undefined][] = [
    ["id", activity.id],
    ["type", definition.interactionType],
    ["description", description],
    ...(Array.isArray(patterns) ? patterns : [])
      .slice(0, MAX_PATTERNS)
      .map((pattern, n): [string, string] => [`correct_responses.${n}.pattern`, String(pattern)]),
    ["learner_response", result.response],
    ["result", result.success === undefined ? undefined : results[Number(result.success)]],
    ["latency", result.duration],
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
