import type { ReactNode } from "react";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { formatNumber } from "#web/core/format/format.ts";
import type { Inline, Mark, RichText } from "#shared/lessons/richText.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

const elements: Record<Mark, (children: ReactNode) => ReactNode> = {
  bold: (children) => <strong>{children}</strong>,
  italic: (children) => <em>{children}</em>,
  underline: (children) => <u>{children}</u>,
  strike: (children) => <s>{children}</s>,
  code: (children) => <code>{children}</code>,
  subscript: (children) => <sub>{children}</sub>,
  superscript: (children) => <sup>{children}</sup>,
};
const mark = (content: ReactNode, marks: Mark[] = []) =>
  marks.reduceRight((inner, one) => elements[one](inner), content);

/** A value in words; null for one that has none, such as an object. */
export function valueText(value: VariableValue): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (typeof value === "number") return formatNumber(value, Number.isInteger(value) ? 0 : 2);
  if (Array.isArray(value)) return value.map(valueText).filter(Boolean).join(", ") || null;
  return null;
}

function Run({ run }: { run: Inline }) {
  const { facts } = useLesson();
  if (run.kind === "break") return <br />;
  if (run.kind === "variable") return mark(<bdi>{valueText(facts.value(run.key)) ?? run.fallback}</bdi>, run.marks);
  const content = mark(run.language ? <span lang={run.language}>{run.text}</span> : run.text, run.marks);
  if (!run.link) return content;
  return (
    <a href={run.link} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  );
}

/** Text of an author as React nodes: never as HTML. */
export const Runs = ({ text }: { text: RichText }) => text.runs.map((run, index) => <Run key={index} run={run} />);

export const Paragraphs = ({ texts }: { texts: RichText[] }) =>
  texts.map((text) => (
    <p key={text.id}>
      <Runs text={text} />
    </p>
  ));
