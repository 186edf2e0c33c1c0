import {
  checkArray,
  checkIri,
  checkString,
  fail,
  type Fields,
  isObject,
  readObject,
} from "#server/statements/validation/fields.ts";
import { storeLimits } from "#shared/statements/statements.ts";

const IDENTIFIERS = ["mbox", "mbox_sha1sum", "openid", "account"] as const;
const AGENT = ["objectType", "name", ...IDENTIFIERS];

const checks: Record<(typeof IDENTIFIERS)[number], (value: unknown, path: string) => void> = {
  mbox(value, path) {
    const isMailbox = typeof value === "string" && /^mailto:[^\s@<>,;:"]+@[^\s@<>,;:"]+$/i.test(value);
    if (!isMailbox || value.length > storeLimits.identifier) throw fail(path, "is not mailto: with an email address");
  },
  mbox_sha1sum(value, path) {
    if (typeof value !== "string" || !/^[0-9a-f]{40}$/i.test(value)) throw fail(path, "is not a SHA-1 sum");
  },
  openid: checkIri,
  account(value, path) {
    const { homePage, name } = readObject(value, path, ["homePage", "name"]);
    checkIri(homePage, `${path}.homePage`);
    if (checkString(name, `${path}.name`).length > storeLimits.identifier) throw fail(`${path}.name`, "is too long");
  },
};

/** Checks the identifiers of an agent or group; returns how many it has. */
function checkIdentifiers(actor: Fields, path: string) {
  if (actor.name !== undefined) checkString(actor.name, `${path}.name`);
  const present = IDENTIFIERS.filter((key) => actor[key] !== undefined);
  for (const key of present) checks[key](actor[key], `${path}.${key}`);
  if (present.length > 1) throw fail(path, "has more than one identifier");
  return present.length;
}

export function checkAgent(value: unknown, path: string) {
  const agent = readObject(value, path, AGENT);
  if (agent.objectType !== undefined && agent.objectType !== "Agent") throw fail(path, "is not an Agent");
  if (checkIdentifiers(agent, path) === 0) throw fail(path, "has no identifier");
}

export function checkGroup(value: unknown, path: string) {
  const group = readObject(value, path, [...AGENT, "member"]);
  if (group.objectType !== "Group") throw fail(path, "is not a Group");
  const isAnonymous = checkIdentifiers(group, path) === 0;
  if (isAnonymous && group.member === undefined) throw fail(path, "has neither an identifier nor members");
  if (group.member === undefined) return;
  const members = checkArray(group.member, `${path}.member`);
  if (members.length > storeLimits.members) throw fail(`${path}.member`, "has too many members");
  members.forEach((member, at) => checkAgent(member, `${path}.member.${at}`));
}

export function checkActor(value: unknown, path: string) {
  if (isObject(value) && value.objectType === "Group") checkGroup(value, path);
  else checkAgent(value, path);
}

/** An agent or, as for OAuth, an anonymous group of two: the client and its user. */
export function checkAuthority(value: unknown, path: string) {
  checkActor(value, path);
  if (!isObject(value) || value.objectType !== "Group") return;
  if (IDENTIFIERS.some((key) => value[key] !== undefined)) throw fail(path, "is a group with an identifier");
  if ((value.member as unknown[]).length !== 2) throw fail(path, "is a group of other than two members");
}
