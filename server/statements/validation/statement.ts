import { checkAuthority, checkActor, checkAgent, checkGroup } from "#server/statements/validation/agents.ts";
import {
  checkArray,
  checkBoolean,
  checkDuration,
  checkExtensions,
  checkIri,
  checkLanguageMap,
  checkMediaType,
  checkNumber,
  checkString,
  checkTime,
  checkUuid,
  fail,
  type Fields,
  isLanguage,
  isObject,
  readObject,
} from "#server/statements/validation/fields.ts";
import { checkActivity, checkObject, checkStatementRef } from "#server/statements/validation/objects.ts";
import type { XapiVersion } from "#server/statements/versions.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import { type Statement, VOIDED } from "#shared/statements/xapi.ts";

const COMMON = ["actor", "verb", "object", "result", "context", "timestamp", "attachments"];
const STATEMENT = [...COMMON, "id", "stored", "authority", "version"];
const CONTEXT = [
  "registration",
  "instructor",
  "team",
  "contextActivities",
  "revision",
  "platform",
  "language",
  "statement",
  "extensions",
];

/**
 * Checks a statement by every rule that xAPI requires a store to enforce. Throws 400 with the path of the first wrong
 * value. A single activity in `contextActivities` becomes an array, as the specification requires.
 */
export function checkStatement(value: unknown, version: XapiVersion, path = ""): Statement {
  const statement = readObject(value, path, STATEMENT);
  const at = (key: string) => (path ? `${path}.${key}` : key);
  if (statement.id !== undefined) checkUuid(statement.id, at("id"));
  if (statement.stored !== undefined) checkTime(statement.stored, at("stored"));
  if (statement.authority !== undefined) checkAuthority(statement.authority, at("authority"));
  if (statement.version !== undefined) checkVersion(statement.version, version, at("version"));
  const subAt = (sub: unknown, subPath: string) => {
    const fields = readObject(sub, subPath, [...COMMON, "objectType"]);
    checkCommon(fields, version, subPath, null);
  };
  checkCommon(statement, version, path, subAt);
  const { verb, object } = statement as unknown as Statement;
  if (verb.id === VOIDED && (object as Fields).objectType !== "StatementRef")
    throw fail(at("object"), "of a statement that voids is not a StatementRef");
  return statement as unknown as Statement;
}

function checkVersion(value: unknown, version: XapiVersion, path: string) {
  const pattern = version === "2.0.0" ? /^(1\.0(\.\d+)?|2\.0(\.\d+)?)$/ : /^1\.0(\.\d+)?$/;
  if (typeof value !== "string" || !pattern.test(value)) throw fail(path, "is not a version that the store accepts");
}

function checkCommon(
  statement: Fields,
  version: XapiVersion,
  path: string,
  checkSub: ((value: unknown, path: string) => void) | null,
) {
  const at = (key: string) => (path ? `${path}.${key}` : key);
  for (const key of ["actor", "verb", "object"]) if (statement[key] === undefined) throw fail(path, `has no ${key}`);
  checkActor(statement.actor, at("actor"));
  const verb = readObject(statement.verb, at("verb"), ["id", "display"]);
  checkIri(verb.id, at("verb.id"));
  if (verb.display !== undefined) checkLanguageMap(verb.display, at("verb.display"));
  checkObject(statement.object, at("object"), checkSub);
  if (statement.result !== undefined) checkResult(statement.result, at("result"));
  if (statement.context !== undefined) {
    const { objectType } = statement.object as Fields;
    checkContext(statement.context, at("context"), version, objectType === undefined || objectType === "Activity");
  }
  if (statement.timestamp !== undefined) checkTime(statement.timestamp, at("timestamp"));
  if (statement.attachments !== undefined) checkAttachments(statement.attachments, at("attachments"));
}

function checkResult(value: unknown, path: string) {
  const result = readObject(value, path, ["score", "success", "completion", "response", "duration", "extensions"]);
  if (result.score !== undefined) checkScore(result.score, `${path}.score`);
  if (result.success !== undefined) checkBoolean(result.success, `${path}.success`);
  if (result.completion !== undefined) checkBoolean(result.completion, `${path}.completion`);
  if (result.response !== undefined) checkString(result.response, `${path}.response`);
  if (result.duration !== undefined) checkDuration(result.duration, `${path}.duration`);
  if (result.extensions !== undefined) checkExtensions(result.extensions, `${path}.extensions`);
}

function checkScore(value: unknown, path: string) {
  const score = readObject(value, path, ["scaled", "raw", "min", "max"]);
  const number = (key: string) => (score[key] === undefined ? undefined : checkNumber(score[key], `${path}.${key}`));
  const [scaled = 0, raw, min, max] = ["scaled", "raw", "min", "max"].map(number);
  if (scaled < -1 || scaled > 1) throw fail(`${path}.scaled`, "is not between -1 and 1");
  if (min !== undefined && max !== undefined && min >= max) throw fail(path, "has a min that is not below max");
  if (raw !== undefined && ((min !== undefined && raw < min) || (max !== undefined && raw > max)))
    throw fail(`${path}.raw`, "is not between min and max");
}

function checkContext(value: unknown, path: string, version: XapiVersion, isOfActivity: boolean) {
  const extra = version === "2.0.0" ? ["contextAgents", "contextGroups"] : [];
  const context = readObject(value, path, [...CONTEXT, ...extra]);
  const at = (key: string) => `${path}.${key}`;
  if (context.registration !== undefined) checkUuid(context.registration, at("registration"));
  if (context.instructor !== undefined) checkActor(context.instructor, at("instructor"));
  if (context.team !== undefined) checkGroup(context.team, at("team"));
  if (context.contextActivities !== undefined)
    checkContextActivities(context.contextActivities, at("contextActivities"));
  for (const key of ["revision", "platform"]) {
    if (context[key] === undefined) continue;
    checkString(context[key], at(key));
    if (!isOfActivity) throw fail(at(key), "is only possible if the object is an activity");
  }
  if (context.language !== undefined && !isLanguage(context.language))
    throw fail(at("language"), "is not a language tag");
  if (context.statement !== undefined) checkStatementRef(context.statement, at("statement"));
  if (context.extensions !== undefined) checkExtensions(context.extensions, at("extensions"));
  if (context.contextAgents !== undefined) checkContextPeople(context.contextAgents, at("contextAgents"), "Agent");
  if (context.contextGroups !== undefined) checkContextPeople(context.contextGroups, at("contextGroups"), "Group");
}

function checkContextActivities(value: unknown, path: string) {
  const activities = readObject(value, path, ["parent", "grouping", "category", "other"]);
  for (const [kind, listed] of Object.entries(activities)) {
    const list = isObject(listed) ? [listed] : checkArray(listed, `${path}.${kind}`);
    list.forEach((activity, at) => checkActivity(activity, `${path}.${kind}.${at}`));
    activities[kind] = list;
  }
}

function checkContextPeople(value: unknown, path: string, kind: "Agent" | "Group") {
  const key = kind === "Agent" ? "agent" : "group";
  checkArray(value, path).forEach((entry, index) => {
    const at = `${path}.${index}`;
    const fields = readObject(entry, at, ["objectType", key, "relevantTypes"]);
    if (fields.objectType !== `context${kind}`) throw fail(`${at}.objectType`, `is not context${kind}`);
    if (kind === "Agent") checkAgent(fields.agent, `${at}.agent`);
    else checkGroup(fields.group, `${at}.group`);
    if (fields.relevantTypes === undefined) return;
    const types = checkArray(fields.relevantTypes, `${at}.relevantTypes`);
    if (types.length === 0) throw fail(`${at}.relevantTypes`, "is empty");
    types.forEach((type, position) => checkIri(type, `${at}.relevantTypes.${position}`));
  });
}

const ATTACHMENT = ["usageType", "display", "description", "contentType", "length", "sha2", "fileUrl"];
function checkAttachments(value: unknown, path: string) {
  const attachments = checkArray(value, path);
  if (attachments.length > storeLimits.attachments) throw fail(path, "has too many attachments");
  attachments.forEach((entry, index) => {
    const at = `${path}.${index}`;
    const attachment = readObject(entry, at, ATTACHMENT);
    checkIri(attachment.usageType, `${at}.usageType`);
    checkLanguageMap(attachment.display, `${at}.display`);
    if (attachment.description !== undefined) checkLanguageMap(attachment.description, `${at}.description`);
    checkMediaType(attachment.contentType, `${at}.contentType`);
    if (!Number.isSafeInteger(attachment.length) || (attachment.length as number) < 0)
      throw fail(`${at}.length`, "is not a number of bytes");
    if (typeof attachment.sha2 !== "string" || !/^[0-9a-f]{56,128}$/i.test(attachment.sha2))
      throw fail(`${at}.sha2`, "is not a SHA-2 sum");
    if (attachment.fileUrl !== undefined) checkIri(attachment.fileUrl, `${at}.fileUrl`);
  });
}
