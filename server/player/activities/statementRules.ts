import {
  CATEGORY,
  type LaunchMode,
  MASTERY_SCORE_EXTENSION,
  SESSION_ID,
  type UnitVerb,
  unitVerbOf,
  VERBS,
} from "#server/player/activities/vocabulary.ts";
import { activityOf, contextIds, isSameAgent } from "#server/player/activities/statement.ts";
import type { Agent, Statement } from "#shared/statements/xapi.ts";

// The rules of cmi5 for the statements of an AU (sections 7.1, 9 and 10.2). The numbers are those of its requirements.

/** A launch, and what was said in it and in earlier ones of the same registration. */
export type LaunchFacts = {
  id: string;
  kind: "cmi5" | "xapi";
  actor: Agent;
  registration: string;
  activityId: string;
  publisherId: string;
  mode: LaunchMode;
  masteryScore: number | null;
  hasReadPreferences: boolean;
  isOver: boolean;
  /** cmi5 defined statements of this launch, and of earlier ones. */
  said: ReadonlySet<string>;
  saidBefore: ReadonlySet<string>;
};

/** Why a statement is refused, in words for the author of the content; null if it is accepted. */
export function findRefusal(statement: Statement, launch: LaunchFacts): string | null {
  if (launch.isOver) return "the session of the AU has ended (9.3.8, 9.3.6)";
  if (statement.verb.id === VERBS.voided) return "an AU cannot void statements (6.3)";
  if (!isSameAgent(statement.actor, launch.actor)) return "the actor is not that of the launch (9.2)";
  const { registration } = statement.context ?? {};
  if (launch.kind === "xapi") {
    const isForeign = registration !== undefined && registration.toLowerCase() !== launch.registration;
    return isForeign ? "the registration is not that of the launch" : null;
  }
  if (registration?.toLowerCase() !== launch.registration) return "the registration is not that of the launch (9.6.1)";
  return findContextRefusal(statement, launch) ?? findUnitRefusal(statement, launch);
}

function findContextRefusal(statement: Statement, launch: LaunchFacts): string | null {
  const { context, timestamp = "" } = statement;
  if (statement.id === undefined) return "the statement has no id (9.1)";
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]00:?00)$/i.test(timestamp)) return "the timestamp is missing or not in UTC (9.7)";
  if (context?.extensions?.[SESSION_ID] !== launch.id) return "the session id is not that of the launch (9.6.3.1)";
  if (!contextIds(statement, "grouping").includes(launch.publisherId))
    return "the context is not based on the contextTemplate (10.2.1)";
  return null;
}

function findUnitRefusal(statement: Statement, launch: LaunchFacts): string | null {
  const isDefined = contextIds(statement, "category").includes(CATEGORY.cmi5);
  const verb = unitVerbOf(statement.verb.id);
  const isFirst = launch.said.size === 0;
  if (isFirst && !(isDefined && verb === "initialized")) return "the first statement must be initialized (9.3.2)";
  const kinds = ["category", "grouping", "parent", "other"] as const;
  const hasMoveOn = kinds.some((kind) => contextIds(statement, kind).includes(CATEGORY.moveOn));
  const { success, completion } = statement.result ?? {};
  const isOutcome = success !== undefined || completion !== undefined;
  if (hasMoveOn && !(isDefined && isOutcome)) return "the category moveon belongs to statements of outcomes (9.6.2.2)";
  if (!isDefined) return null;
  if (verb === null) return "an AU cannot use this verb in a cmi5 defined statement (9.3)";
  if (activityOf(statement)?.id !== launch.activityId) return "the object is not the activity of the launch (9.4)";
  if (isOutcome && !contextIds(statement, "category").includes(CATEGORY.moveOn))
    return "the category moveon is missing (9.6.2.2)";
  return findOrderRefusal(verb, launch) ?? findResultRefusal(verb, statement, launch);
}

function findOrderRefusal(verb: UnitVerb, { said, saidBefore, mode, hasReadPreferences }: LaunchFacts): string | null {
  if (said.has(verb)) return `${verb} was said before in this session (9.3)`;
  if (verb === "initialized") return hasReadPreferences ? null : "the learner preferences were not read (11)";
  if (verb === "terminated") return null;
  if (mode !== "Normal") return `${verb} is not allowed in the launch mode ${mode} (10.2.2)`;
  const both = (name: string) => said.has(name) || saidBefore.has(name);
  if (verb === "completed" && both("completed")) return "completed was said before in this registration (9.3.3)";
  if (verb === "passed" && (both("passed") || said.has("failed"))) return "passed cannot follow (9.3.4)";
  if (verb === "failed" && (both("passed") || said.has("failed"))) return "failed cannot follow (9.3.5)";
  return null;
}

const successOf: Partial<Record<UnitVerb, boolean>> = { passed: true, failed: false };

function findResultRefusal(verb: UnitVerb, { result = {}, context }: Statement, launch: LaunchFacts): string | null {
  const { score, success, completion, duration } = result;
  if (success !== successOf[verb]) return `success of ${verb} must be ${successOf[verb] ?? "absent"} (9.5.2)`;
  if (completion !== (verb === "completed" ? true : undefined)) return `completion of ${verb} is wrong (9.5.3)`;
  if (verb !== "initialized" && duration === undefined) return `${verb} has no duration (9.5.4)`;
  if (score === undefined) return null;
  if (verb !== "passed" && verb !== "failed") return `${verb} must have no score (9.5.1)`;
  if (score.raw !== undefined && (score.min === undefined || score.max === undefined))
    return "a raw score needs min and max (9.5.1)";
  const { masteryScore } = launch;
  if (masteryScore === null) return null;
  if (context?.extensions?.[MASTERY_SCORE_EXTENSION] !== masteryScore) return "masteryScore is missing (9.6.3.2)";
  if (score.scaled === undefined) return null;
  if (verb === "passed" && score.scaled < masteryScore) return "the score is below masteryScore (9.3.4)";
  if (verb === "failed" && score.scaled >= masteryScore) return "the score is not below masteryScore (9.3.5)";
  return null;
}
