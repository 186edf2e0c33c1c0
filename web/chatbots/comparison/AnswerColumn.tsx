import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AnswerFacts } from "#web/chatbots/comparison/AnswerFacts.tsx";
import { AnswerFailure } from "#web/chatbots/comparison/AnswerFailure.tsx";
import classes from "#web/chatbots/comparison/comparison.module.css";
import type { Piece } from "#web/chatbots/comparison/markDifferences.ts";
import { FormulaMarkdown } from "#web/core/display/FormulaMarkdown.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import type { ComparedAnswer } from "#shared/conversations/answerComparisons.ts";

type Props = {
  title: string;
  answer: ComparedAnswer | null;
  /** The text with the parts that only this answer has; null to show it formatted. */
  pieces: Piece[] | null;
  /** Shown if there is no answer. */
  empty: ReactNode;
};

/** One of two answers: text, outcome, sources, times and cost. */
export function AnswerColumn({ title, answer, pieces, empty }: Props) {
  const { t } = useTranslation();
  return (
    <section className={classes.column} aria-label={title}>
      <h3>
        {title}
        {answer && answer.state !== "done" && <Pill tone="warn">{t(`chatbots.talks.states.${answer.state}`)}</Pill>}
      </h3>
      <div className={classes.text} aria-live="polite" aria-busy={!answer}>
        {!answer && empty}
        {answer && (
          <>
            <AnswerFailure answer={answer} />
            <Words answer={answer} pieces={pieces} />
            {answer.options.length > 0 && (
              <p className={classes.dim}>{t("chatbots.compare.options", { options: answer.options.join(" / ") })}</p>
            )}
          </>
        )}
      </div>
      {answer && <AnswerFacts answer={answer} />}
    </section>
  );
}

function Words({ answer, pieces }: Pick<Props, "pieces"> & { answer: ComparedAnswer }) {
  if (!pieces) return <FormulaMarkdown from={3}>{answer.text}</FormulaMarkdown>;
  return (
    <p className={classes.said}>
      {pieces.map(({ text, isDifferent }, at) =>
        // Pieces may repeat, and never move.
        isDifferent ? <mark key={`${at} ${text}`}>{text}</mark> : <span key={`${at} ${text}`}>{text}</span>,
      )}
    </p>
  );
}
