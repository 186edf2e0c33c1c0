import { randomUUID } from "node:crypto";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import type { Question } from "#shared/lessons/questions.ts";
import type { Inline, RichText } from "#shared/lessons/richText.ts";

// Short ways to write the blocks of the demo's lessons

/** Random, because the ids of items that are to be ordered reach the browser. */
export const newId = (name: string) => `${name}-${randomUUID().slice(0, 13)}`;

/** Text in which `**words**` are bold and `{{key|fallback}}` is the value of a variable. */
export function text(source: string): RichText {
  const pieces = source.split(/(\*\*[^*]+\*\*|\{\{[^}]+\}\})/u).filter(Boolean);
  return { id: newId("text"), runs: pieces.map(toRun) };
}

function toRun(piece: string): Inline {
  if (piece.startsWith("**")) return { kind: "text", text: piece.slice(2, -2), marks: ["bold"] };
  if (!piece.startsWith("{{")) return { kind: "text", text: piece };
  const [key = "", fallback = ""] = piece.slice(2, -2).split("|");
  return { kind: "variable", key, fallback };
}

type BlockOf<K extends LessonBlock["kind"]> = Extract<LessonBlock, { kind: K }>;
/** A block of a kind with an id of its own. */
export const block = <K extends LessonBlock["kind"]>(kind: K, rest: Omit<BlockOf<K>, "kind" | "id">) =>
  ({ kind, id: newId(kind), ...rest }) as BlockOf<K>;

export const paragraph = (source: string) => block("paragraph", { text: text(source) });
export const heading = (source: string) => block("heading", { level: 2, text: text(source) });
export const bullets = (...items: string[]) =>
  block("list", { style: "bullets", items: items.map((item) => ({ id: newId("item"), text: text(item), depth: 0 })) });
/** Items with a title and one paragraph. */
export const titled = (items: Record<string, string>) =>
  Object.entries(items).map(([title, body]) => ({ id: newId("item"), title: text(title), text: [text(body)] }));

type Rules = Pick<Question, "graded" | "points" | "tries" | "required">;
/** Practice may be repeated; what is graded has two tries. */
export const practice: Rules = { graded: false, points: 1, tries: null, required: true };
export const graded: Rules = { graded: true, points: 1, tries: 2, required: true };
/** Shown below "Right" and "Not this one". */
export const feedback = (right: string, wrong: string) => ({ right: right ? text(right) : null, wrong: text(wrong) });
/** `+` marks the right choices; what follows ` / ` is said when a choice was chosen. */
export const choices = (...lines: string[]) =>
  lines.map((line) => {
    const [body = "", reason] = line.replace(/^\+ /, "").split(" / ");
    return {
      id: newId("choice"),
      text: text(body),
      isRight: line.startsWith("+ "),
      feedback: reason ? text(reason) : null,
    };
  });
export const question = (one: Question) => block("question", { question: one });

export const lesson = (title: string, minutes: number, blocks: LessonBlock[]): Lesson => ({
  id: randomUUID(),
  title,
  minutes,
  document: { schema: 1, language: "en", blocks },
});
