import type { TFunction } from "i18next";
import { formatDuration, formatNumber } from "#web/core/format/format.ts";
import type { Tone } from "#web/core/display/StatusDot.tsx";
import type { StatementEntry } from "#shared/statements/statementEntries.ts";

type Entry = Pick<StatementEntry, "actor" | "verb" | "object">;

export function actorText({ actor }: Pick<Entry, "actor">, t: TFunction) {
  if (actor.kind === "erased") return t("statements.viewer.erased");
  return actor.name || t("statements.viewer.nobody");
}

export const verbText = ({ verb }: Pick<Entry, "verb">, t: TFunction) => verb.name || t("statements.viewer.noVerb");

export function objectText({ object }: Pick<Entry, "object">, t: TFunction) {
  if (object.kind === "statement") return t("statements.viewer.aStatement");
  if (object.kind === "subStatement") return t("statements.viewer.aPlan");
  return object.name || t("statements.viewer.nobody");
}

export const sentenceOf = (entry: Entry, t: TFunction) =>
  t("statements.viewer.sentence", {
    who: actorText(entry, t),
    did: verbText(entry, t),
    what: objectText(entry, t),
  });

/** The result, such as "Passed, 88 %, 41 min"; empty if there is none. */
export function resultParts({ result }: Pick<StatementEntry, "result">, t: TFunction): string[] {
  if (!result) return [];
  const { success, completion, scorePercent, score, duration } = result;
  const successText = success ? t("statements.viewer.success") : t("statements.viewer.failure");
  const completionText = completion ? t("statements.viewer.completion") : t("statements.viewer.noCompletion");
  return [
    ...(success === null ? [] : [successText]),
    ...(completion === null ? [] : [completionText]),
    ...(scorePercent === null ? [] : [t("statements.viewer.percent", { value: formatNumber(scorePercent) })]),
    ...(score === null ? [] : [formatNumber(score, Number.isInteger(score) ? 0 : 1)]),
    ...(duration === null ? [] : [formatDuration(duration)]),
  ];
}

/** The source of a statement: a key, a course, or the server itself. */
export function sourceText({ client, session }: Pick<StatementEntry, "client" | "session">, t: TFunction) {
  if (client) return client.name;
  return session ? t("statements.viewer.course", { title: session.course }) : t("statements.viewer.server");
}

/** Verbs defined by ADL and cmi5, by the last part of their IRI. */
const TONES: Record<string, Tone> = {
  completed: "ok",
  passed: "ok",
  satisfied: "ok",
  failed: "bad",
  abandoned: "warn",
  voided: "bad",
  initialized: "idle",
  terminated: "idle",
  launched: "idle",
};
export const toneOf = ({ verb }: Pick<Entry, "verb">): Tone => TONES[verb.id.split("/").at(-1) ?? ""] ?? "active";
