import { diffArrays } from "diff";
import type { Word } from "#shared/lessons/versions/versions.ts";

/** Longer texts, and what is beyond the sum of a lesson, are shown before and after as a whole, in characters. */
const MAX_CHARS = 10_000;
const MAX_CHARS_OF_LESSON = 200_000;
/** Words that differ at most, beyond which nobody would read them one by one. */
const MAX_EDITS = 300;

export type WordComparer = (before: string, after: string) => Word[];

/** Marks changed words of texts in a language, as long as the lesson is not too large. */
export function createWordComparer(language: string): WordComparer {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  const split = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  let left = MAX_CHARS_OF_LESSON;
  return (before, after) => {
    const chars = before.length + after.length;
    const parts =
      chars <= MAX_CHARS * 2 && chars <= left
        ? diffArrays(split(before), split(after), { maxEditLength: MAX_EDITS })
        : undefined;
    if (!parts) return [part(before, "removed"), part(after, "added")].filter(({ text }) => text !== "");
    left -= chars;
    const kindOf = (removed: boolean): Word["is"] => (removed ? "removed" : "same");
    return join(parts.map(({ value, added, removed }) => part(value.join(""), added ? "added" : kindOf(removed))));
  };
}

const part = (text: string, is: Word["is"]): Word => ({ text, is });

/** Changed words with only a space between them are one change. */
function join(words: Word[]): Word[] {
  const joined: Word[] = [];
  let [removed, added] = ["", ""];
  const flush = () => {
    if (removed) joined.push(part(removed, "removed"));
    if (added) joined.push(part(added, "added"));
    [removed, added] = ["", ""];
  };
  for (const [n, { text, is }] of words.entries()) {
    const isBetween = is === "same" && text.trim() === "" && removed + added !== "" && n < words.length - 1;
    if (is !== "added" && (is === "removed" || isBetween)) removed += text;
    if (is === "added" || isBetween) added += text;
    if (is !== "same" || isBetween) continue;
    flush();
    joined.push(part(text, "same"));
  }
  flush();
  return joined;
}
