import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { Question } from "#shared/lessons/questions.ts";
import { plainText, type RichText } from "#shared/lessons/richText.ts";
import type { ChangedValue } from "#shared/lessons/versions/versions.ts";

/**
 * One text, setting or order of a block. Entries with the same key are compared: `sum` says whether they differ,
 * `value` is what is shown. `order`: the ids of children that may change places.
 */
export type Entry = {
  key: string;
  field: string;
  sum: string;
  value: ChangedValue;
  isText: boolean;
  order?: string[];
};

type Names = ReadonlyMap<string, string>;
/** Texts without an id, whose words are compared. */
const TEXTS = new Set(["text", "source", "title", "caption", "alt", "meaning", "label", "lowLabel", "highLabel"]);
/** What is compared in another way, or only places a step in the graph. */
const SKIPPED = new Set(["id", "rightId", "key", "kind", "at", "showWhen", "question", "isRight", "isTrue"]);
const ANSWERS = new Set(["answer", "answers", "tolerance", "caseSensitive", "pieces"]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isRichText = (value: Record<string, unknown>): value is RichText & Record<string, unknown> =>
  Array.isArray(value["runs"]) && typeof value["id"] === "string";

/** Text with the keys of variables in place of their values. */
const wordsOf = (text: RichText) =>
  plainText({
    ...text,
    runs: text.runs.map((run) => (run.kind === "variable" ? { kind: "text", text: `{${run.key}}` } : run)),
  });

/** The texts and settings of a block in the order of reading. `titles`: of lessons, by their id. */
export function entriesOf(block: LessonBlock, titles: Names): Entry[] {
  const entries: Entry[] = [{ key: "kind", field: "kind", ...setting(kindOf(block)) }];
  if (block.showWhen)
    entries.push({
      key: "showWhen",
      field: "showWhen",
      sum: JSON.stringify(block.showWhen),
      value: block.showWhen,
      isText: false,
    });
  if (block.kind === "prompt") entries.push({ key: "key", field: "key", ...setting(block.key) });
  const names = block.kind === "scenario" ? stepNames(block.steps) : titles;
  const { question, ...own } = block.kind === "question" ? block : { ...block, question: null };
  walk(own, "", block.id, names, entries);
  if (question) {
    const { kind: _kind, ...rest } = question;
    const asked = Object.fromEntries(Object.entries(rest).filter(([name]) => !ANSWERS.has(name)));
    walk(asked, "", block.id, names, entries, question.kind === "order" || question.kind === "match");
    if (question.kind === "fill")
      entries.push(textEntry(`${block.id}.pieces`, "gapText", piecesOf(question), piecesOf(question)));
  }
  return entries;
}

export const kindOf = (block: LessonBlock) => (block.kind === "question" ? block.question.kind : block.kind);

const setting = (value: ChangedValue) => ({ sum: JSON.stringify(value), value, isText: false });
const textEntry = (key: string, field: string, value: string, sum: string): Entry => ({
  key,
  field,
  sum,
  value,
  isText: true,
});

function walk(value: unknown, name: string, owner: string, names: Names, list: Entry[], isUnordered = false): void {
  if (Array.isArray(value)) {
    const ids = value.flatMap((one) => (isObject(one) && typeof one["id"] === "string" ? [one["id"]] : []));
    for (const [n, one] of value.entries()) walk(one, name, `${owner}.${n}`, names, list);
    if (ids.length > 1 && !isUnordered)
      list.push({ key: `${owner}.${name}.order`, field: "order", sum: "", value: null, isText: false, order: ids });
  } else if (isObject(value)) walkObject(value, name, owner, names, list, isUnordered);
  else if (name !== "" && value !== undefined) {
    const key = `${owner}.${name}`;
    if (typeof value === "string" && TEXTS.has(name)) list.push(textEntry(key, name, value, value));
    else if (name === "to" || name === "lessonId")
      list.push({
        key,
        field: name,
        sum: JSON.stringify(value),
        value: names.get(String(value)) ?? null,
        isText: false,
      });
    // The id of a chatbot says nothing.
    else if (name === "chatbotId")
      list.push({ key, field: name, sum: JSON.stringify(value), value: null, isText: false });
    else list.push({ key, field: name, ...setting(value as ChangedValue) });
  }
}

function walkObject(
  value: Record<string, unknown>,
  name: string,
  owner: string,
  names: Names,
  list: Entry[],
  isUnordered: boolean,
) {
  if (isRichText(value)) return void list.push(textEntry(value.id, name, wordsOf(value), JSON.stringify(value.runs)));
  if (typeof value["fileId"] === "string") {
    const shown = String(value["name"]);
    return void list.push({ key: `${owner}.file`, field: "file", sum: value["fileId"], value: shown, isText: false });
  }
  const place = name ? `${owner}.${name}` : owner;
  const home = typeof value["id"] === "string" ? value["id"] : place;
  for (const [inner, one] of Object.entries(value))
    if (!SKIPPED.has(inner)) walk(one, inner === "text" && name !== "" ? name : inner, home, names, list, isUnordered);
}

const stepNames = (steps: { key: string; title: string }[]) =>
  new Map(steps.map(({ key, title }, n) => [key, title.trim() || String(n + 1)]));

const piecesOf = (question: Extract<Question, { kind: "fill" }>) =>
  question.pieces.map((piece) => (piece.kind === "text" ? piece.text : "[…]")).join("");

/** What is right: `sum` without texts, which may be corrected without changing it. */
export function rightAnswerOf(block: LessonBlock): { sum: string; text: string } | null {
  if (block.kind !== "question") return null;
  const { question } = block;
  const made = (identity: unknown, list: (string | number)[]) => ({
    sum: JSON.stringify([question.kind, identity]),
    text: list.join("; "),
  });
  switch (question.kind) {
    case "single":
    case "multiple": {
      const right = question.choices.filter(({ isRight }) => isRight);
      const ids = right.map(({ id }) => id).toSorted();
      return made(
        ids,
        right.map(({ text }) => plainText(text)),
      );
    }
    case "trueFalse":
      return made(question.isTrue, [String(question.isTrue)]);
    case "match":
      return made(
        question.pairs.map(({ id, rightId }) => [id, rightId].join()).toSorted(),
        question.pairs.map(({ left, right }) => `${plainText(left)} – ${plainText(right)}`),
      );
    case "order":
      return made(
        question.items.map(({ id }) => id),
        question.items.map(({ text }, n) => `${n + 1}. ${plainText(text)}`),
      );
    case "fill": {
      const gaps = question.pieces.flatMap((piece) => (piece.kind === "gap" ? [piece] : []));
      return made(
        gaps.map(({ id, answers, caseSensitive }) => [id, answers, caseSensitive]),
        gaps.map(({ answers }) => answers.join(" / ")),
      );
    }
    case "number": {
      const { answer, tolerance, unit } = question;
      const width = tolerance > 0 ? ` ± ${tolerance}` : "";
      return made([answer, tolerance, unit], [`${answer}${width} ${unit}`.trim()]);
    }
    case "shortText":
      return made([question.answers, question.caseSensitive], [question.answers.join(" / ")]);
  }
}
