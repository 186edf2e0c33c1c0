import { badRequest } from "#server/statements/refusals.ts";
import { agentKeyOf, keyOf } from "#server/statements/identifiers.ts";
import { checkActor } from "#server/statements/validation/agents.ts";
import { checkIri, checkTime, checkUuid, toUtc } from "#server/statements/validation/fields.ts";
import { readJson } from "#server/statements/validation/json.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import type { Actor } from "#shared/statements/xapi.ts";

export type Format = "exact" | "ids" | "canonical";
/** The filter of a list of statements; keys as in the indexes. */
export type StatementFilter = {
  agentKey?: string;
  verbKey?: string;
  activityKey?: string;
  registration?: string;
  relatedActivities: boolean;
  relatedAgents: boolean;
  since?: string;
  until?: string;
  limit: number;
  format: Format;
  attachments: boolean;
  ascending: boolean;
};
export type Params = Record<string, string>;

const PARAMS = [
  "statementId",
  "voidedStatementId",
  "agent",
  "verb",
  "activity",
  "registration",
  "related_activities",
  "related_agents",
  "since",
  "until",
  "limit",
  "format",
  "attachments",
  "ascending",
  "more",
];
const OF_ONE = ["statementId", "voidedStatementId", "format", "attachments"];

export function checkParams(params: Params, allowed: readonly string[]) {
  for (const name of Object.keys(params))
    if (!allowed.includes(name)) throw badRequest(`there is no parameter ${name.slice(0, 60)}`);
}

export function readFlag(params: Params, name: string) {
  const value = params[name] ?? "false";
  if (value !== "true" && value !== "false") throw badRequest(`${name} is neither true nor false`);
  return value === "true";
}

export function readFormat({ format = "exact" }: Params): Format {
  if (format !== "exact" && format !== "ids" && format !== "canonical") throw badRequest(`there is no such format`);
  return format;
}

/** The id of a requested statement; null if a list is requested. */
export function readOne(params: Params) {
  checkParams(params, PARAMS);
  const { statementId, voidedStatementId } = params;
  if (statementId === undefined && voidedStatementId === undefined) return null;
  if (statementId !== undefined && voidedStatementId !== undefined)
    throw badRequest("there are both statementId and voidedStatementId");
  const other = Object.keys(params).find((name) => !OF_ONE.includes(name));
  if (other) throw badRequest(`${other} is not possible beside the id of a statement`);
  const name = statementId === undefined ? "voidedStatementId" : "statementId";
  return { id: checkUuid(params[name], name).toLowerCase(), isVoided: statementId === undefined };
}

export function readFilter(params: Params): StatementFilter {
  const { verb, activity, registration, since, until, agent, limit = "0" } = params;
  if (!/^\d{1,9}$/.test(limit)) throw badRequest("limit is not a number");
  const actor = agent === undefined ? null : readActor(agent, "agent");
  const agentKey = actor && agentKeyOf(actor);
  if (actor && !agentKey) throw badRequest("agent has no identifier");
  return {
    ...(agentKey && { agentKey }),
    ...(verb !== undefined && { verbKey: keyOf(checkIri(verb, "verb")) }),
    ...(activity !== undefined && { activityKey: keyOf(checkIri(activity, "activity")) }),
    ...(registration !== undefined && { registration: checkUuid(registration, "registration") }),
    ...(since !== undefined && { since: toUtc(checkTime(since, "since")) as string }),
    ...(until !== undefined && { until: toUtc(checkTime(until, "until")) as string }),
    relatedActivities: readFlag(params, "related_activities"),
    relatedAgents: readFlag(params, "related_agents"),
    limit: Math.min(Number(limit) || storeLimits.page, storeLimits.page),
    format: readFormat(params),
    attachments: readFlag(params, "attachments"),
    ascending: readFlag(params, "ascending"),
  };
}

export function readActor(text: string, name: string): Actor {
  const actor = readJson(text);
  checkActor(actor, name);
  return actor as Actor;
}
