import { careTerms } from "#server/conversations/care/careTerms.ts";
import { normalisePhrase } from "#server/conversations/phraseFinder.ts";

// Finds messages whose writer may need help from a person, without a model. How many it finds and misses is measured on
// messages that it was not made from (docs/benchmarks.md).

export type CareTopic = "selfHarm" | "violence" | "harassment";

const GAP_WORDS = 4;

/** A pattern of the terms of one topic (notation: `careTerms.ts`), for a text of normalised words. */
function compileTerms(terms: string[]) {
  const alternatives = (token: string) =>
    `(?:${token
      .split("/")
      .map((word) => word.replace("*", String.raw`\S*`))
      .join("|")}) `;
  const patternOf = (term: string) =>
    term
      .split(" ")
      .filter(Boolean)
      .map((token) => (token === "~" ? String.raw`(?:\S+ ){0,${GAP_WORDS}}?` : alternatives(token)))
      .join("");
  return new RegExp(`(?<= )(?:${terms.map(patternOf).join("|")})`, "gu");
}
/** Words that deny. A term that contains one, such as "not want to live", is not tested for denial. */
const DENIAL =
  "never|not|no one|didnt|doesnt|isnt|wasnt|(?:don|didn|doesn|isn|wasn|wouldn) t|nie|niemals|nicht|kein\\S*|jamais|pas|aucun\\S*|nunca|jamas|no|ni";
const DENIED = new RegExp(` (?:${DENIAL}) `, "u");
const IS_DENIAL =
  /^(?:t|dont|cant|wont|aint|not|never|no|nobody|noone|nicht|nimmer|nie|keine?r?|niemand|pas|plus|ne|jamais|ojala)(?:\/|$)/u;
const finders = Object.entries(careTerms).map(([topic, terms]) => {
  const denials = terms.filter((term) => term.split(" ").some((token) => IS_DENIAL.test(token)));
  return {
    topic: topic as CareTopic,
    plain: compileTerms(terms.filter((term) => !denials.includes(term))),
    denying: denials.length === 0 ? null : compileTerms(denials),
  };
});

/** Text in quotation marks, and before it a space or the start: what somebody else says. */
const QUOTED =
  /«[^«»]{3,400}»|„[^„“”]{3,400}[“”]|“[^“”]{3,400}”|"[^"]{3,400}"|(?<=^|[\s:(])['‘‚][^'’‘]{3,400}['’‘](?![\p{L}])/gu;
/** Words that say that the writer speaks a part. */
const ROLE_PLAY =
  / (?:role ?play|roleplay|scenario|im the|me as the|i play|simulation|simulacro|rollenspiel|ubung|szenario|ich bin (?:herr|frau|der|die)|jeu de role|je fais l|je joue|hago de|yo soy el|juego de rol|simulated) /u;
/** What courses, films and news consist of: a question about them is not a call for help. */
const MATERIAL =
  / (?:module?|modul|modulo|course|kurs|slides?|chapter|kapitel|quiz|test|film|lehrfilm|movie|series?|serie|headline|news|nachrichten|zeitung|transcript|recording|exam|exercise|leitfaden|richtlinie|policy|video|definition|diapo\S*|chapitre|corrige|formation|livret|memoire|registre|ejercicio|capitulo|unidad|tema|guion|pelicula|noticias|guia|tarea|skript|folie\S*|checkliste|cours|referent|report form|training) /u;
/** Words before the match within which a denial counts. */
const DENIAL_WORDS = 3;

/**
 * The sensitive topic of a message; null for nearly all. What is quoted, played or asked about the material of a course
 * raises no alarm, and neither does what is denied.
 */
export function findCareTopic(text: string): CareTopic | null {
  const own = text.replace(QUOTED, " ");
  const said = own.trim().split(/\s+/).length < 3 ? text : own;
  const all = spaced(said);
  if (ROLE_PLAY.test(all)) return null;
  if (MATERIAL.test(all) && (said !== text || /[?？]/u.test(text))) return null;
  const sentences = said.split(/[.!?\n;]+/u).map(spaced);
  const hasTopic = ({ plain, denying }: (typeof finders)[number]) =>
    sentences.some((sentence) => isAffirmed(sentence, plain) || (denying !== null && sentence.search(denying) !== -1));
  return finders.find(hasTopic)?.topic ?? null;
}

const spaced = (text: string) => ` ${normalisePhrase(text).trim()} `;

/** Whether the sentence contains a term, and does not deny it within the term or just before it. */
const isAffirmed = (sentence: string, pattern: RegExp) =>
  [...sentence.matchAll(pattern)].some(({ index, 0: match }) => {
    const before = sentence.slice(0, index).trim().split(" ").slice(-DENIAL_WORDS).join(" ");
    return !DENIED.test(` ${before} ${match}`);
  });
