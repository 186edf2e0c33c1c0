import { hasCareWord, judgeCare } from "#server/conversations/care/careModel.ts";
import { harassmentTerms } from "#server/conversations/care/harassmentTerms.ts";
import { selfHarmTerms } from "#server/conversations/care/selfHarmTerms.ts";
import { violenceTerms } from "#server/conversations/care/violenceTerms.ts";
import { normalisePhrase } from "#server/conversations/phraseFinder.ts";

// Finds messages whose writer may need help from a person, without a language model: by terms, and by a linear model of
// words (`careModel.ts`). How many are found and missed is measured on messages that neither was made from
// (docs/benchmarks.md).

export type CareTopic = "selfHarm" | "violence" | "harassment";

const GAP_WORDS = 4;

/** A term, to be tried at a word of a normalised text; `denies` if it contains a denial, such as "not want to live". */
type Term = { pattern: RegExp; denies: boolean };
/** The terms of one topic by their first word, or by the start of it. */
type Terms = { byWord: Map<string, Term[]>; byStart: { start: string; term: Term }[] };

/** Words that deny. */
const DENIAL = [
  "never|not|no one|didnt|doesnt|isnt|wasnt|(?:don|didn|doesn|isn|wasn|wouldn) t",
  String.raw`nie|niemals|nicht|kein\S*|jamais|pas|personne|aucun\S*|nunca|jamas|no|ni|nadie`,
].join("|");
const DENIED = new RegExp(` (?:${DENIAL}) `, "u");
const DENYING_WORDS = [
  "t dont cant wont aint not never no nobody noone nicht nimmer nie kein keine keiner niemand",
  "pas plus ne jamais ojala",
]
  .join(" ")
  .split(" ");

const patternOf = (words: string) =>
  `(?:${words
    .split("/")
    .map((word) => word.replace("*", String.raw`\S*`))
    .join("|")}) `;

/**
 * Prepares terms for searching. Their words are in lower case and without accents, with a space for an apostrophe; `/`
 * separates alternatives, `*` stands for any ending, `~` for up to four words.
 */
function compileTerms(list: string[]): Terms {
  const terms: Terms = { byWord: new Map(), byStart: [] };
  for (const written of list) {
    const tokens = written.split(" ");
    const source = tokens.map((token) => (token === "~" ? String.raw`(?:\S+ ){0,${GAP_WORDS}}?` : patternOf(token)));
    const term = {
      pattern: new RegExp(source.join(""), "uy"),
      denies: tokens.some((token) => DENYING_WORDS.includes(token.split("/")[0] ?? "")),
    };
    for (const first of tokens[0]?.split("/") ?? [])
      if (first.endsWith("*")) terms.byStart.push({ start: first.slice(0, -1), term });
      else terms.byWord.set(first, [...(terms.byWord.get(first) ?? []), term]);
  }
  return terms;
}
const topics: { topic: CareTopic; terms: Terms }[] = [
  { topic: "selfHarm", terms: compileTerms(selfHarmTerms) },
  { topic: "violence", terms: compileTerms(violenceTerms) },
  { topic: "harassment", terms: compileTerms(harassmentTerms) },
];

const wordsPattern = (alternatives: string[]) => new RegExp(` (?:${alternatives.join("|")}) `, "u");
/** Text in quotation marks: what somebody else says. */
const QUOTED = new RegExp(
  [
    "«[^«»]{3,400}»",
    "„[^„“”]{3,400}[“”]",
    "“[^“”]{3,400}”",
    '"[^"]{3,400}"',
    String.raw`(?<=^|[\s:(])['‘‚][^'’‘]{3,400}['’‘](?!\p{L})`,
  ].join("|"),
  "gu",
);
/** Words that say that the writer speaks a part. */
const ROLE_PLAY = wordsPattern([
  "role ?play|roleplay|scenario|im the|me as the|i play|simulation|simulacro|rollenspiel",
  "ubung|szenario|ich bin (?:herr|frau|der|die)|jeu de role|je fais l|je joue|hago de",
  "yo soy el|juego de rol|simulated",
]);
/** What courses, films and news consist of: a question about them is not a call for help. */
const MATERIAL = wordsPattern([
  "module?|modul|modulo|course|kurs|slides?|chapter|kapitel|quiz|test|film|lehrfilm|movie",
  "series?|serie|headline|news|nachrichten|zeitung|transcript|recording|exam|exercise",
  String.raw`leitfaden|richtlinie|policy|video|definition|diapo\S*|chapitre|corrige|formation|livret`,
  "memoire|registre|ejercicio|capitulo|unidad|tema|guion|pelicula|noticias|guia|tarea|skript",
  String.raw`folie\S*|checkliste|cours|referent|report form|training`,
]);
/** Words before the match within which a denial counts. */
const DENIAL_WORDS = 3;
const DENIAL_CHARS = 100;

/** More than this probability of the model is as good as a term. */
const SURE = 0.9;

/** `isSure`: the help text takes the place of an answer; otherwise it is shown besides one. */
export type CareFinding = { topic: CareTopic; isSure: boolean };

/**
 * The sensitive topic of a message; null for nearly all. What is quoted, played or asked about the material of a course
 * raises no alarm, and neither does what is denied.
 */
export function findCare(text: string): CareFinding | null {
  const own = text.replace(QUOTED, " ");
  const said = own.trim().split(/\s+/).length < 3 ? text : own;
  const all = spaced(said);
  if (ROLE_PLAY.test(all)) return null;
  if (MATERIAL.test(all) && (said !== text || /[?？]/u.test(text))) return null;
  const sentences = said.split(/[.!?\n;]+/u).map(spaced);
  const findings = topics.map(({ topic, terms }) => ({ topic, found: findTerm(sentences, terms) }));
  const meant = findings.find(({ found }) => found === "meant");
  if (meant) return { topic: meant.topic, isSure: true };
  if (findings.some(({ found }) => found === "denied")) return null;
  const { kind, probability } = judgeCare(said);
  return kind === "none" ? null : { topic: kind, isSure: probability > SURE && hasCareWord(said) };
}

export const findCareTopic = (text: string) => findCare(text)?.topic ?? null;

const spaced = (text: string) => ` ${normalisePhrase(text).trim()} `;

/** Whether a sentence contains a term, and does not deny it within the term or just before it. */
function findTerm(sentences: string[], terms: Terms): "meant" | "denied" | null {
  const found = sentences.flatMap((sentence) => [...matchTerms(sentence, terms)]);
  if (found.includes("meant")) return "meant";
  return found.includes("denied") ? "denied" : null;
}

function* matchTerms(sentence: string, { byWord, byStart }: Terms) {
  for (const { index, 0: word } of sentence.matchAll(/\S+/gu)) {
    const starting = byStart.filter(({ start }) => word.startsWith(start)).map(({ term }) => term);
    for (const term of [...(byWord.get(word) ?? []), ...starting]) {
      term.pattern.lastIndex = index;
      const match = term.pattern.exec(sentence)?.[0];
      if (match === undefined) continue;
      yield term.denies || !isDenied(sentence.slice(0, index), match) ? ("meant" as const) : ("denied" as const);
    }
  }
}

const isDenied = (before: string, match: string) => {
  const near = before.slice(-DENIAL_CHARS).trim().split(" ").slice(-DENIAL_WORDS).join(" ");
  return DENIED.test(` ${near} ${match}`);
};
