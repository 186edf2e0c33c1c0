import { agentKeyOf } from "#server/statements/identifiers.ts";
import { isActivity, isActor } from "#server/statements/named.ts";
import { ERASED_HOME } from "#server/statements/erasure.ts";
import { MAX_NAME_CHARS, type StatementEntry } from "#shared/statements/statementEntries.ts";
import type { Actor, Definition, LanguageMap, Result, StatementObject, Verb } from "#shared/statements/xapi.ts";
import { parseSeconds } from "#shared/player/runTimeData.ts";

// A statement as admins read it: with names in place of identifiers where there are any.

/** The English entry, or the first one. */
const textOf = (map: LanguageMap | undefined) => {
  const entries = Object.entries(map ?? {});
  const found = entries.find(([tag]) => /^en\b/i.test(tag)) ?? entries[0];
  return (found?.[1] ?? "").trim().slice(0, MAX_NAME_CHARS);
};
const cut = (text: string) => text.slice(0, MAX_NAME_CHARS);

const identifierIn = ({ mbox, account, openid, mbox_sha1sum: sum }: Actor) =>
  mbox?.replace(/^mailto:/i, "") ?? account?.name ?? openid ?? sum ?? "";

export function nameActor(actor: Actor, learner: string | null): StatementEntry["actor"] {
  const agentKey = agentKeyOf(actor);
  if (learner) return { kind: "agent", name: learner, agentKey };
  if (actor.account?.homePage === ERASED_HOME) return { kind: "erased", name: "", agentKey };
  const name = cut(actor.name?.trim() || identifierIn(actor));
  return { kind: actor.objectType === "Group" ? "group" : "agent", name, agentKey };
}

/** The name of a verb, or the last part of its IRI unless that has no letters. */
export function nameVerb({ id, display }: Verb) {
  const word = textOf(display);
  if (word) return word;
  const last = /([^/#?:]+)\/?$/.exec(id)?.[1] ?? "";
  return /[a-z]/i.test(last) ? cut(last) : "";
}

export function nameObject(object: StatementObject, known: Definition | undefined): StatementEntry["object"] {
  if (isActivity(object))
    return {
      kind: "activity",
      id: object.id,
      name: textOf(known?.name) || textOf(object.definition?.name) || cut(object.id),
    };
  if (isActor(object)) {
    const { name, kind } = nameActor(object, null);
    return { kind: "agent", id: null, name: kind === "erased" ? "" : name };
  }
  return { kind: object.objectType === "SubStatement" ? "subStatement" : "statement", id: null, name: "" };
}

const MAX_SECONDS = 1e9;
function secondsOf(duration: string) {
  const seconds = parseSeconds(duration);
  return seconds !== null && seconds <= MAX_SECONDS ? seconds : null;
}

export function readResult(result: Result | undefined): StatementEntry["result"] {
  if (!result) return null;
  const { score = {}, success = null, completion = null, duration } = result;
  const { scaled, raw, min, max } = score;
  const share =
    raw !== undefined && min !== undefined && max !== undefined && max > min ? (raw - min) / (max - min) : null;
  const percent = scaled === undefined ? share : scaled;
  return {
    scorePercent: percent === null ? null : Math.round(percent * 1000) / 10,
    score: percent === null ? (raw ?? null) : null,
    success,
    completion,
    duration: duration === undefined ? null : secondsOf(duration),
  };
}
