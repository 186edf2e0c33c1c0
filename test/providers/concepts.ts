import { createHash } from "node:crypto";

const SIZE = 96;
/** Words with the same meaning in several languages, a line each. */
export const CONCEPTS = [
  "leave holiday holidays urlaub urlaubstage vacaciones congés 休暇",
  "days tage días jours 日",
  "accident accidents unfall accidente hurt verletzt",
  "report melde meldet melden informar tell",
  "travel journey reise reisekosten viaje",
  "costs expenses kosten gastos paid erstattet",
  "helmet helmets helm schutzhelm casco",
  "plant factory werk fábrica",
  "fee price gebühr preis",
  "class klasse",
].map((line) => new Set(line.split(" ")));

/** A number that depends on a text, between -1 and 1. */
const noise = (text: string, at: number) => createHash("md5").update(`${at} ${text}`).digest().readInt16LE(0) / 32768;

/** A vector by the concepts in a text, as of a model that knows several languages, with noise for all other words. */
export function conceptVector(text: string, strength = 1): number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const vector = Array.from({ length: SIZE }, (_, at) => noise(text, at) * 0.12);
  for (const [axis, concept] of CONCEPTS.entries())
    if (
      words.some((word) => concept.has(word)) ||
      [...concept].some((one) => /\p{sc=Han}/u.test(one) && text.includes(one))
    )
      vector[axis] = strength;
  return vector;
}

/** The reply of a provider whose model knows these concepts. */
export const conceptEmbeddings = (texts: string[]) =>
  JSON.stringify({ data: texts.map((text, index) => ({ index, embedding: conceptVector(text) })) });
