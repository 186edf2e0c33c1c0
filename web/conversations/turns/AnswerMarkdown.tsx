import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { FormulaMarkdown } from "#web/core/display/FormulaMarkdown.tsx";
import { markSources } from "#web/conversations/turns/markSources.ts";
import classes from "#web/conversations/transcript.module.css";
import type { TurnSource } from "#shared/conversations/conversations.ts";

export type AnswerTextProps = {
  text: string;
  sources: TurnSource[];
  onSource: (n: number) => void;
  /** False: links are shown as text, for chats embedded in other sites. */
  hasLinks: boolean;
};

/** The Markdown and formulas of an answer with the numbers of its sources as buttons. It loads no external content. */
export function AnswerMarkdown({ text, sources, onSource, hasLinks }: AnswerTextProps) {
  const { t } = useTranslation();
  const plugin = useMemo(() => markSources(new Set(sources.map(({ n }) => n))), [sources]);
  const elements = useMemo(
    () => ({
      sup: ({ title = "" }: { title?: string | undefined }) => {
        const source = sources.find(({ n }) => n === Number(title));
        return (
          source && (
            <button
              type="button"
              className={classes.number}
              aria-label={t("chat.sources.open", { number: source.n, title: source.title })}
              onClick={() => onSource(source.n)}
            >
              {source.n}
            </button>
          )
        );
      },
      ...(!hasLinks && { a: ({ children }: { children?: React.ReactNode }) => <>{children}</> }),
    }),
    [sources, onSource, hasLinks, t],
  );
  return (
    <FormulaMarkdown from={3} plugin={plugin} elements={elements}>
      {text}
    </FormulaMarkdown>
  );
}
