import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import { AskTodayButton } from "#web/chatbots/comparison/AskTodayButton.tsx";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { SourceList } from "#web/chatbots/transcripts/SourceList.tsx";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { connectorAndModel } from "#web/connectors/modelName.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { FormulaMarkdown } from "#web/core/display/FormulaMarkdown.tsx";
import { formatNumber, formatPercent, formatTime } from "#web/core/format/format.ts";
import type { Transcript } from "#shared/conversations/conversations.ts";

type Turn = Transcript["turns"][number];
type Props = { turn: Turn; isAlternative: boolean; currency: string };

/** A message of a transcript; answers with sources, cost and instructions. */
export function TranscriptTurn({ turn, isAlternative, currency }: Props) {
  const { t } = useTranslation();
  const { role, state, text, sources, rating, ratingReason, ratingText, createdAt, options, spoken, givesOrders } =
    turn;
  const isAnswer = role === "assistant";
  return (
    <li className={conversationClasses.turn} data-role={role}>
      <p className={conversationClasses.turnHead}>
        <strong>{t(isAnswer ? "chatbots.talks.answer" : "chatbots.talks.question")}</strong>
        <span className={classes.dim}>{formatTime(createdAt)}</span>
        {givesOrders && <Pill tone="warn">{t("chatbots.talks.orders")}</Pill>}
        {spoken && <Pill>{t("chatbots.talks.spoken")}</Pill>}
        {isAlternative && <Pill>{t("chatbots.talks.again")}</Pill>}
        {isAnswer && state !== "done" && (
          <Pill tone={state === "care" ? "bad" : "warn"}>{t(`chatbots.talks.states.${state}`)}</Pill>
        )}
        {rating && <Pill tone={rating === "up" ? "ok" : "bad"}>{t(`chatbots.talks.rated.${rating}`)}</Pill>}
      </p>
      {isAnswer ? (
        <FormulaMarkdown from={3}>{text}</FormulaMarkdown>
      ) : (
        <>
          <p className={conversationClasses.said}>{text}</p>
          <AskTodayButton questionId={turn.id} />
        </>
      )}
      {options.length > 0 && (
        <p className={classes.dim}>{t("chatbots.talks.options", { options: options.join(" / ") })}</p>
      )}
      {rating && (ratingReason || ratingText) && (
        <p className={classes.dim}>
          {[
            ratingReason && t(`chatbots.talks.reasons.${ratingReason as "wrong"}`, { defaultValue: ratingReason }),
            ratingText,
          ]
            .filter(Boolean)
            .join(": ")}
        </p>
      )}
      {givesOrders && (
        <p className={classes.dim}>
          {t(isAnswer ? "chatbots.talks.ordersOfPassage" : "chatbots.talks.ordersOfMessage")}
        </p>
      )}
      {sources.length > 0 && <SourceList sources={sources} />}
      {isAnswer && <Cost turn={turn} currency={currency} />}
      {turn.why && <Why why={turn.why} />}
    </li>
  );
}

function Cost({ turn, currency }: { turn: Turn; currency: string }) {
  const { t } = useTranslation();
  const { connector, model, tokensIn, tokensOut, costMicros, createdAt, firstAt } = turn;
  if (!connector) return null;
  const facts = [
    connectorAndModel(connector, model, t),
    firstAt && t("chatbots.talks.firstWord", { wait: formatWait(Date.parse(firstAt) - Date.parse(createdAt), t) }),
    tokensIn !== null &&
      tokensOut !== null &&
      t("chatbots.talks.tokens", { in: formatNumber(tokensIn), out: formatNumber(tokensOut) }),
    costMicros ? formatMoney(costMicros / 1e6, currency) : null,
  ];
  return <p className={classes.dim}>{facts.filter(Boolean).join(", ")}</p>;
}

function Why({ why }: { why: NonNullable<Turn["why"]> }) {
  const { t } = useTranslation();
  const { query, passages, instructions, retrievalMs } = why;
  return (
    <details className={conversationClasses.why}>
      <summary>{t("chatbots.why.title")}</summary>
      <h3>{t("chatbots.why.query")}</h3>
      <p>{query}</p>
      <h3>{t("chatbots.why.passages", { wait: formatWait(retrievalMs, t) })}</h3>
      {passages.length === 0 ? (
        <p className={classes.dim}>{t("chatbots.why.noPassages")}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("chatbots.why.passage")}</th>
              <th scope="col">{t("chatbots.why.score")}</th>
              <th scope="col">{t("chatbots.why.coverage")}</th>
            </tr>
          </thead>
          <tbody>
            {passages.map(({ passageId, title, heading, page, score, coverage, givesOrders }) => (
              <tr key={passageId}>
                <td>
                  {title}
                  <span className={classes.under}>
                    {[heading, page && t("chatbots.talks.page", { page })].filter(Boolean).join(", ")}
                  </span>
                  {givesOrders && <Pill tone="warn">{t("chatbots.why.orders")}</Pill>}
                </td>
                <td>{formatNumber(score, 2)}</td>
                <td>{formatPercent(coverage * 100)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>{t("chatbots.why.instructions")}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>{instructions}</pre>
    </details>
  );
}
