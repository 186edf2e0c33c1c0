import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { escapeMarkdown, markdownOf } from "#shared/lessons/transfer/markdownInline.ts";
import type { Question } from "#shared/lessons/questions.ts";
import type { RichText } from "#shared/lessons/richText.ts";
import type { ExportedModule } from "#shared/lessons/transfer/exported.ts";

// A course as one Markdown text. Lessons begin with heading 1. What Markdown does not have becomes text.

type BlockOf<K extends LessonBlock["kind"]> = Extract<LessonBlock, { kind: K }>;
const paragraphs = (texts: RichText[]) => texts.map((text) => markdownOf(text)).filter(Boolean);
const join = (parts: string[]) => parts.filter((part) => part.trim() !== "").join("\n\n");
const quoted = (text: string) =>
  text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
const cell = (text: RichText) => markdownOf(text, "<br>");
const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
const table = (rows: string[][], hasHead: boolean) => {
  const width = Math.max(...rows.map((cells) => cells.length));
  const [first = [], ...rest] = rows;
  const head = hasHead ? first : Array.from({ length: width }, () => "");
  const body = hasHead ? rest : rows;
  return [row(head), row(Array.from({ length: width }, () => "---")), ...body.map(row)].join("\n");
};
const list = (items: string[], sign: (n: number) => string = () => "-") =>
  items.map((item, n) => `${sign(n)} ${item.replaceAll("\n", "\n  ")}`).join("\n");
const media = (title: string, file: { fileId: string; name: string }) =>
  `[${escapeMarkdown(title || file.name)}](<media/${file.fileId}>)`;
const titled = ({ items }: BlockOf<"accordion" | "tabs" | "process">) =>
  join(items.flatMap(({ title, text }) => [`**${markdownOf(title)}**`, ...paragraphs(text)]));
const bold = (text: string, isRight: boolean) => (isRight && text ? `**${text}**` : text);

function nested({ style, items }: BlockOf<"list">) {
  const sign = style === "numbers" ? "1." : "-";
  return items.map(({ text, depth }) => `${" ".repeat(depth * 4)}${sign} ${markdownOf(text, "<br>")}`).join("\n");
}

/** The question with its solution: right choices are bold. */
function ofQuestion(question: Question): string {
  const said = paragraphs([question.feedback.right, question.feedback.wrong].filter((text) => text !== null));
  const answers = ((): string => {
    switch (question.kind) {
      case "single":
      case "multiple":
        return list(question.choices.map(({ text, isRight }) => bold(markdownOf(text, "<br>"), isRight)));
      case "trueFalse":
        return "";
      case "match":
        return table(
          question.pairs.map(({ left, right }) => [cell(left), cell(right)]),
          false,
        );
      case "order":
        return list(
          question.items.map(({ text }) => markdownOf(text, "<br>")),
          (n) => `${n + 1}.`,
        );
      case "fill":
        return question.pieces
          .map((piece) =>
            piece.kind === "text" ? escapeMarkdown(piece.text) : `**${escapeMarkdown(piece.answers.join(", "))}**`,
          )
          .join("");
      case "number":
        return escapeMarkdown(`${question.answer} ${question.unit}`.trim());
      case "shortText":
        return list(question.answers.map(escapeMarkdown));
    }
  })();
  return join([markdownOf(question.text), answers, ...said]);
}

function ofScenario({ steps }: BlockOf<"scenario">) {
  return join(
    steps.flatMap(({ text, choices }) => [
      ...paragraphs(text),
      list(
        choices.map((choice) =>
          join([markdownOf(choice.text, "<br>"), ...paragraphs(choice.feedback ? [choice.feedback] : [])]),
        ),
      ),
    ]),
  );
}

const fences = (text: string) => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(longest + 1);
};

export function markdownOfBlock(block: LessonBlock): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${markdownOf(block.text, " ")}`;
    case "list":
      return nested(block);
    case "quote":
      return quoted(join([markdownOf(block.text), block.source && `— ${escapeMarkdown(block.source)}`]));
    case "code": {
      const fence = fences(block.text);
      return `${fence}${block.language}\n${block.text}\n${fence}`;
    }
    case "table": {
      const rows = block.rows.map((cells) => cells.map(cell));
      return join([block.caption && escapeMarkdown(block.caption), table(rows, block.hasHead)]);
    }
    case "callout": {
      const tone = { note: "NOTE", tip: "TIP", warning: "WARNING", danger: "CAUTION" }[block.tone];
      const text = join([block.title && `**${escapeMarkdown(block.title)}**`, ...paragraphs(block.text)]);
      return quoted(`[!${tone}]\n\n${text}`);
    }
    case "divider":
      return block.style === "space" ? "" : "---";
    case "image": {
      const alt = block.isDecorative ? "" : escapeMarkdown(block.alt.replace(/\s+/g, " "));
      return join([`![${alt}](<media/${block.file.fileId}>)`, markdownOf(block.caption)]);
    }
    case "video":
    case "audio":
      return join([media(block.title, block.file), ...paragraphs(block.transcript)]);
    case "file":
      return media(block.title, block.file);
    case "accordion":
    case "tabs":
    case "process":
      return titled(block);
    case "flashcards":
      return table(
        block.cards.map(({ front, back }) => [cell(front), cell(back)]),
        false,
      );
    case "checklist":
      return list(block.items.map(({ text }) => `[ ] ${markdownOf(text, "<br>")}`));
    case "button": {
      const { target, label } = block;
      return target.kind === "page" ? `[${escapeMarkdown(label)}](<${target.url}>)` : escapeMarkdown(label);
    }
    case "question":
      return ofQuestion(block.question);
    case "scenario":
      return ofScenario(block);
    case "confirmation":
      return join([...paragraphs(block.text), escapeMarkdown(block.meaning)]);
    default:
      return markdownOf(block.text);
  }
}

/** The course; its modules are not part of the text. */
export const markdownOfCourse = (modules: ExportedModule[]) =>
  `${join(
    modules.flatMap(({ lessons }) =>
      lessons.map(({ title, document }) =>
        join([`# ${escapeMarkdown(title)}`, ...document.blocks.map(markdownOfBlock)]),
      ),
    ),
  )}\n`;
