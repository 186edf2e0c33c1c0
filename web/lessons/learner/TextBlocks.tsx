import { IconAlertTriangle, IconBulb, IconInfoCircle, IconAlertOctagon } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Paragraphs, Runs, valueText } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/lesson.module.css";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

/** Below the title of the lesson, which is an h2. */
export function HeadingBlock({ block }: { block: ShownBlockOf<"heading"> }) {
  const Level = `h${block.level + 1}` as "h3" | "h4" | "h5";
  return (
    <Level className={classes[`heading${block.level}`]}>
      <Runs text={block.text} />
    </Level>
  );
}

/** With a rule beside it if it was written for this learner. */
export function ParagraphBlock({ block }: { block: ShownBlockOf<"paragraph"> }) {
  const { facts } = useLesson();
  const isPersonal = block.text.runs.some((run) => run.kind === "variable" && valueText(facts.value(run.key)) !== null);
  return (
    <p className={isPersonal ? classes.personal : undefined}>
      <Runs text={block.text} />
    </p>
  );
}

type Item = ShownBlockOf<"list">["items"][number];
type Tree = { item: Item; children: Tree[] };

function toTree(items: Item[]): Tree[] {
  const root: Tree[] = [];
  const open: { depth: number; children: Tree[] }[] = [{ depth: -1, children: root }];
  for (const item of items) {
    while ((open.at(-1)?.depth ?? -1) >= item.depth) open.pop();
    const node = { item, children: [] };
    open.at(-1)?.children.push(node);
    open.push({ depth: item.depth, children: node.children });
  }
  return root;
}

export function ListBlock({ block }: { block: ShownBlockOf<"list"> }) {
  const List = block.style === "numbers" ? "ol" : "ul";
  const render = (nodes: Tree[]) => (
    <List className={classes.list}>
      {nodes.map(({ item, children }) => (
        <li key={item.id}>
          <Runs text={item.text} />
          {children.length > 0 && render(children)}
        </li>
      ))}
    </List>
  );
  return render(toTree(block.items));
}

export const QuoteBlock = ({ block }: { block: ShownBlockOf<"quote"> }) => (
  <figure className={classes.quote}>
    <blockquote>
      <Runs text={block.text} />
    </blockquote>
    {block.source && <figcaption>{block.source}</figcaption>}
  </figure>
);

export function CodeBlock({ block }: { block: ShownBlockOf<"code"> }) {
  const { t } = useTranslation();
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={t("lessons.code")} dir="ltr">
      <code>{block.text}</code>
    </pre>
  );
}

export function TableBlock({ block: { rows, hasHead, hasHeadColumn, caption } }: { block: ShownBlockOf<"table"> }) {
  const { t } = useTranslation();
  const head = hasHead ? rows[0] : undefined;
  const body = hasHead ? rows.slice(1) : rows;
  return (
    <WideContent label={caption || t("lessons.table")}>
      <table className={classes.table}>
        {caption && <caption>{caption}</caption>}
        {head && (
          <thead>
            <tr>
              {head.map((cell) => (
                <th key={cell.id} scope="col">
                  <Runs text={cell} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {body.map((row) => (
            <tr key={row[0]?.id}>
              {row.map((cell, index) =>
                hasHeadColumn && index === 0 ? (
                  <th key={cell.id} scope="row">
                    <Runs text={cell} />
                  </th>
                ) : (
                  <td key={cell.id}>
                    <Runs text={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </WideContent>
  );
}

const toneIcons = { note: IconInfoCircle, tip: IconBulb, warning: IconAlertTriangle, danger: IconAlertOctagon };

export function CalloutBlock({ block: { tone, title, text } }: { block: ShownBlockOf<"callout"> }) {
  const { t } = useTranslation();
  const Icon = toneIcons[tone];
  return (
    <aside className={classes.callout} data-tone={tone} aria-label={title || t(`lessons.tones.${tone}`)}>
      <p className={classes.calloutTitle}>
        <Icon size={20} stroke={1.7} aria-hidden />
        {title || t(`lessons.tones.${tone}`)}
      </p>
      <Paragraphs texts={text} />
    </aside>
  );
}

export const DividerBlock = ({ block }: { block: ShownBlockOf<"divider"> }) =>
  block.style === "line" ? <hr className={classes.line} /> : <div className={classes.space} />;
