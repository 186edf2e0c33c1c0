import { diffArrays } from "diff";
import { createBreather } from "#server/core/breather.ts";
import { type Entry, entriesOf, kindOf, rightAnswerOf } from "#server/lessons/versions/entries.ts";
import type { WordComparer } from "#server/lessons/versions/words.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { textsOf } from "#shared/lessons/blockTexts.ts";
import { plainText } from "#shared/lessons/richText.ts";
import { sortedJson } from "#shared/lessons/walk.ts";
import type { BlockChange, FieldChange } from "#shared/lessons/versions/versions.ts";

/** Characters of a block that is not shown as a whole. */
const SUMMARY_CHARS = 200;
/** Characters of a text that are shown. */
const MAX_SHOWN = 20_000;

export type Placed<T> = { before: T | null; after: T | null; isMoved: boolean };

/** Places that differ at most, beyond which things are paired by their ids alone. */
const MAX_EDITS = 500;

/** Things of two lists by their id, in the order of the second; what is gone stands where it was. */
export function pair<T extends { id: string }>(before: T[], after: T[]): Placed<T>[] {
  const idOf = ({ id }: T) => id;
  const [old, now] = [byId(before), byId(after)];
  const parts = diffArrays(before.map(idOf), after.map(idOf), { maxEditLength: MAX_EDITS });
  if (!parts) return pairById(before, after, old, now);
  return parts.flatMap(({ value, added, removed }) =>
    value.flatMap((id): Placed<T>[] => {
      if (removed) return now.has(id) ? [] : [{ before: old.get(id) ?? null, after: null, isMoved: false }];
      return [{ before: old.get(id) ?? null, after: now.get(id) ?? null, isMoved: added && old.has(id) }];
    }),
  );
}

/** In the order of the second list; what is gone stands behind it. */
function pairById<T extends { id: string }>(before: T[], after: T[], old: Map<string, T>, now: Map<string, T>) {
  const order = new Map(before.map(({ id }, n) => [id, n]));
  let last = -1;
  const placed = after.map((one): Placed<T> => {
    const place = order.get(one.id) ?? null;
    const isMoved = place !== null && place < last;
    if (place !== null) last = Math.max(last, place);
    return { before: old.get(one.id) ?? null, after: one, isMoved };
  });
  const gone = before.filter(({ id }) => !now.has(id));
  return [...placed, ...gone.map((one): Placed<T> => ({ before: one, after: null, isMoved: false }))];
}

const byId = <T extends { id: string }>(list: T[]) => new Map(list.map((one) => [one.id, one]));

/** The ids of blocks of a draft that are not finished. */
type Options = { titles: ReadonlyMap<string, string>; unfinished: ReadonlySet<string>; compare: WordComparer };

export async function compareBlocks(before: LessonBlock[], after: LessonBlock[], options: Options) {
  const breathe = createBreather();
  const blocks: BlockChange[] = [];
  for (const placed of pair(before, after)) {
    await breathe();
    blocks.push(compareBlock(placed, options));
  }
  return blocks;
}

function compareBlock({ before, after, isMoved }: Placed<LessonBlock>, options: Options): BlockChange {
  const shown = (after ?? before)!;
  const changes = compareEntries(
    before ? entriesOf(before, options.titles) : [],
    after ? entriesOf(after, options.titles) : [],
    options.compare,
  );
  const answer = before && after ? compareAnswers(before, after) : null;
  const isWhole = !before || !after;
  const state = () => {
    if (!before) return "added";
    if (!after) return options.unfinished.has(before.id) ? "unfinished" : "removed";
    return changes.length > 0 || answer ? "changed" : "same";
  };
  return {
    id: shown.id,
    kind: kindOf(shown),
    state: state(),
    isMoved,
    summary: summaryOf(shown),
    isAnswerChanged: answer !== null,
    // Of a block that is new or gone, its texts say what it is.
    changes: [...(answer ? [answer] : []), ...changes.filter(({ words }) => !isWhole || (words?.length ?? 0) > 0)],
    writtenBy: null,
  };
}

/** Whether blocks differ, without their words. */
export const isSame = (before: LessonBlock, after: LessonBlock) => sortedJson(before) === sortedJson(after);

function compareAnswers(before: LessonBlock, after: LessonBlock): FieldChange | null {
  const [was, is] = [rightAnswerOf(before), rightAnswerOf(after)];
  if (!was || !is || was.sum === is.sum) return null;
  return { field: "rightAnswer", words: null, isFormat: false, from: cut(was.text), to: cut(is.text) };
}

export const hasOtherAnswer = (before: LessonBlock, after: LessonBlock) => compareAnswers(before, after) !== null;

/** What differs between texts and settings with the same keys. */
export function compareEntries(before: Entry[], after: Entry[], compare: WordComparer): FieldChange[] {
  const withId = (list: Entry[]) => list.map((entry) => ({ ...entry, id: entry.key }));
  return pair(withId(before), withId(after)).flatMap(({ before: was, after: is }): FieldChange[] => {
    const { field, isText } = (is ?? was)!;
    const change = { field, words: null, isFormat: false, from: was?.value ?? null, to: is?.value ?? null };
    if (was?.order || is?.order) return isReordered(was?.order, is?.order) ? [change] : [];
    if (was?.sum === is?.sum) return [];
    if (!isText) return [change];
    const [old, now] = [cut(String(was?.value ?? "")), cut(String(is?.value ?? ""))];
    if (was && is && old === now) return [{ ...change, words: [{ text: now, is: "same" }], isFormat: true }];
    return [{ ...change, words: compare(old, now), from: null, to: null }].filter(({ words }) => words.length > 0);
  });
}

/** Children that are on both sides stand in another order. */
function isReordered(before: string[] = [], after: string[] = []) {
  const common = (list: string[], others: string[]) => {
    const known = new Set(others);
    return list.filter((id) => known.has(id));
  };
  return common(before, after).join() !== common(after, before).join();
}

const cut = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

export function summaryOf(block: LessonBlock): string {
  const own = "title" in block && typeof block.title === "string" ? [block.title] : [];
  const text = [...own, ...textsOf(block).map(plainText)].find((one) => one.trim() !== "") ?? "";
  const label = block.kind === "button" ? block.label : "";
  const rest = block.kind === "code" ? block.text : label;
  const shown = (text || rest).trim();
  return shown.length > SUMMARY_CHARS ? `${shown.slice(0, SUMMARY_CHARS)}…` : shown;
}
