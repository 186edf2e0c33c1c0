import { Piscina } from "piscina";

/** PostgreSQL's stemmers by ISO 639 code; words of other languages are not stemmed. */
const STEMMERS: Record<string, string> = {
  ar: "arabic",
  hy: "armenian",
  eu: "basque",
  ca: "catalan",
  da: "danish",
  nl: "dutch",
  en: "english",
  fi: "finnish",
  fr: "french",
  de: "german",
  el: "greek",
  hi: "hindi",
  hu: "hungarian",
  id: "indonesian",
  ga: "irish",
  it: "italian",
  lt: "lithuanian",
  ne: "nepali",
  no: "norwegian",
  nb: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  es: "spanish",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  yi: "yiddish",
};

/** The text search dictionary for a language, or null where words are not stemmed. */
export const stemmerOf = (language: string) => (STEMMERS[language] ? `${STEMMERS[language]}_stem` : null);

/** Number of characters for language detection; a document is sampled at its start, middle and end. */
const SAMPLE_CHARS = 3000;

/** The tables of the detector take 150 MB, so it runs in a separate thread, which ends when idle. */
const detector = new Piscina({
  filename: new URL("languageWorker.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 30_000,
});

/** The language of a text as ISO 639-1 code, empty if it is not recognised, as for a table of numbers. */
export function detectLanguage(text: string): Promise<string> {
  const third = Math.floor(text.length / 3);
  const sample =
    text.length <= 3 * SAMPLE_CHARS
      ? text
      : [0, third, text.length - SAMPLE_CHARS].map((from) => text.slice(from, from + SAMPLE_CHARS)).join("\n");
  return detector.run(sample) as Promise<string>;
}
