import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { CountedLink } from "#web/analysis/figures/CountedLink.tsx";
import { percentOf } from "#web/analysis/figures/FigureTiles.tsx";
import type { Narrowing } from "#web/analysis/figures/useCountedLink.ts";
import { formatMoney } from "#web/connectors/amounts.ts";
import { modelName } from "#web/connectors/modelName.ts";
import { formatNumber } from "#web/core/format/format.ts";
import type { ConversationAnalytics } from "#shared/analysis/conversationAnalytics.ts";

const MICROS = 1_000_000;
type Props = { data: ConversationAnalytics; currency: string };

type FigureTableProps = { heads: string[]; rows: { key: string; cells: ReactNode[] }[] };
/** A small table of figures: the first column names the row, the others are numbers. */
const FigureTable = ({ heads, rows }: FigureTableProps) => (
  <Table className={classes.figures} horizontalSpacing={8}>
    <Table.Thead>
      <Table.Tr>
        {heads.map((head, column) => (
          <Table.Th key={head} {...(column > 0 && { ta: "right" as const })}>
            {head}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ key, cells }) => (
        <Table.Tr key={key}>
          {cells.map((cell, column) => (
            <Table.Td key={heads[column]} {...(column > 0 && { ta: "right" as const })}>
              {cell}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** The cost as text, or a text for no cost. */
function useCostText(currency: string) {
  const { t } = useTranslation();
  return (micros: number) => (micros === 0 ? t("analysis.analytics.free") : formatMoney(micros / MICROS, currency));
}

/** The number of answers of a row, which opens their conversations. */
function AnswerCount({ by, name, answers }: { by: Narrowing; name: string; answers: number }) {
  const { t } = useTranslation();
  return (
    <CountedLink by={by} label={`${name}, ${t("analysis.analytics.answers", { count: answers })}`}>
      {formatNumber(answers)}
    </CountedLink>
  );
}

/** The answers by model; those without one, as of scenes, in a last row, so that the rows add up to all answers. */
export function ModelTable({ data: { models, now }, currency }: Props) {
  const { t } = useTranslation();
  const costText = useCostText(currency);
  const heads = (["model", "answersHead", "tokens", "cost"] as const).map((head) => t(`analysis.analytics.${head}`));
  const rows = models.map(({ model, answers, tokens, costMicros }) => ({
    key: model,
    cells: [
      modelName(model, t),
      <AnswerCount key="answers" by={{ model }} name={modelName(model, t)} answers={answers} />,
      formatNumber(tokens),
      costText(costMicros),
    ],
  }));
  const withoutModel = now.answers - models.reduce((sum, { answers }) => sum + answers, 0);
  if (withoutModel > 0)
    rows.push({
      key: "none",
      cells: [t("analysis.analytics.withoutModel"), formatNumber(withoutModel), "–", t("analysis.analytics.free")],
    });
  return <FigureTable heads={heads} rows={rows} />;
}

export function PromptTable({ data: { prompts }, currency }: Props) {
  const { t } = useTranslation();
  const costText = useCostText(currency);
  const columns = ["prompt", "answersHead", "thumbsUp", "noAnswer", "cost"] as const;
  const rows = prompts.map(({ id, name: prompt, number, answers, thumbsUp, noAnswer, costMicros }) => {
    const name = t("analysis.analytics.promptVersion", { name: prompt, number });
    return {
      key: id,
      cells: [
        name,
        <AnswerCount key="answers" by={{ promptVersionId: id }} name={name} answers={answers} />,
        percentOf(thumbsUp),
        percentOf(noAnswer),
        costText(costMicros),
      ],
    };
  });
  return <FigureTable heads={columns.map((column) => t(`analysis.analytics.${column}`))} rows={rows} />;
}

export function UnansweredList({ unanswered }: Pick<ConversationAnalytics, "unanswered">) {
  const { t } = useTranslation();
  if (unanswered.length === 0) return <p className={classes.dim}>{t("analysis.analytics.noUnanswered")}</p>;
  return (
    <ul className={classes.questions}>
      {unanswered.map(({ question, times, chatbotId, chatbot, conversationId, clusterId }) => (
        <li key={`${chatbotId} ${question}`}>
          <span className={classes.times} title={t("analysis.analytics.times", { count: times })}>
            {formatNumber(times)}
          </span>
          <div>
            <strong>{question}</strong>
            <span className={classes.dim}>{chatbot}</span>
          </div>
          {clusterId ? (
            <Link to={{ search: `?tab=unanswered&status=all&question=${clusterId}` }}>
              {t("analysis.unanswered.answerIt")}
            </Link>
          ) : (
            <Link to={`/admin/chatbots/edit/${chatbotId}?tab=conversations&conversation=${conversationId}`}>
              {t("analysis.analytics.open")}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Counts as bars, longest first or in their order. */
export function CountBars({ rows }: { rows: { label: string; count: number; note: string; to?: string }[] }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <dl className={classes.bars}>
      {rows.map(({ label, count, note, to }) => [
        <dt key={`${label} name`}>{label}</dt>,
        <dd key={`${label} bar`} style={{ margin: 0 }} aria-hidden>
          <div className={classes.bar} style={{ width: `${(count / most) * 100}%` }} data-value={count} />
        </dd>,
        <dd key={`${label} count`} style={{ margin: 0 }}>
          {to ? (
            <Link to={to} className={classes.counted} aria-label={`${label}: ${note}`}>
              {note}
            </Link>
          ) : (
            note
          )}
        </dd>,
      ])}
    </dl>
  );
}
