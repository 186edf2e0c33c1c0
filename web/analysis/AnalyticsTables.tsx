import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { percentOf } from "#web/analysis/FigureTiles.tsx";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { formatNumber } from "#web/core/format/format.ts";
import type { ConversationAnalytics } from "#shared/analysis.ts";

const MICROS = 1_000_000;
type Props = { data: ConversationAnalytics; currency: string };

export function ChatbotTable({ data: { chatbots }, currency }: Props) {
  const { t } = useTranslation();
  const givesHints = chatbots.some(({ fullSolutions }) => fullSolutions !== null);
  const columns = [
    ...(["conversations", "people", "goal", "thumbsUp", "noAnswer"] as const),
    ...(givesHints ? (["fullSolutions"] as const) : []),
    ...(["firstWord", "cost"] as const),
  ];
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table className={classes.figures} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("analysis.analytics.chatbot")}</Table.Th>
            {columns.map((key) => (
              <Table.Th
                key={key}
                ta="right"
                {...(key === "fullSolutions" && { title: t("analysis.analytics.definitions.fullSolutions") })}
              >
                {t(`analysis.analytics.${key}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {chatbots.map((bot) => (
            <Table.Tr key={bot.id}>
              <Table.Td>
                <Link to={`/admin/chatbots/edit/${bot.id}?tab=conversations`}>{bot.name}</Link>
              </Table.Td>
              <Table.Td ta="right">{formatNumber(bot.conversations)}</Table.Td>
              <Table.Td ta="right">{formatNumber(bot.people)}</Table.Td>
              <Table.Td ta="right">{percentOf(bot.goal)}</Table.Td>
              <Table.Td ta="right">{percentOf(bot.thumbsUp)}</Table.Td>
              <Table.Td ta="right">{percentOf(bot.noAnswer)}</Table.Td>
              {givesHints && <Table.Td ta="right">{percentOf(bot.fullSolutions)}</Table.Td>}
              <Table.Td ta="right">{bot.firstWordMs === null ? "–" : formatWait(bot.firstWordMs, t)}</Table.Td>
              <Table.Td ta="right">
                {bot.costMicros === 0 ? t("analysis.analytics.free") : formatMoney(bot.costMicros / MICROS, currency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

export function ModelTable({ data: { models }, currency }: Props) {
  const { t } = useTranslation();
  return (
    <Table className={classes.figures} horizontalSpacing={8}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("analysis.analytics.model")}</Table.Th>
          <Table.Th ta="right">{t("analysis.analytics.answersHead")}</Table.Th>
          <Table.Th ta="right">{t("analysis.analytics.tokens")}</Table.Th>
          <Table.Th ta="right">{t("analysis.analytics.cost")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {models.map(({ model, answers, tokens, costMicros }) => (
          <Table.Tr key={model}>
            <Table.Td>{model}</Table.Td>
            <Table.Td ta="right">{formatNumber(answers)}</Table.Td>
            <Table.Td ta="right">{formatNumber(tokens)}</Table.Td>
            <Table.Td ta="right">
              {costMicros === 0 ? t("analysis.analytics.free") : formatMoney(costMicros / MICROS, currency)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
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
export function CountBars({ rows }: { rows: { label: string; count: number; note: string }[] }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <dl className={classes.bars}>
      {rows.map(({ label, count, note }) => [
        <dt key={`${label} name`}>{label}</dt>,
        <dd key={`${label} bar`} style={{ margin: 0 }} aria-hidden>
          <div className={classes.bar} style={{ width: `${Math.max(1, (count / most) * 100)}%` }} />
        </dd>,
        <dd key={`${label} count`} style={{ margin: 0 }}>
          {note}
        </dd>,
      ])}
    </dl>
  );
}
