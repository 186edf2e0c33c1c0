import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";
import classes from "#web/chatbots/chatbots.module.css";
import { ConversationMenu } from "#web/chatbots/transcripts/ConversationMenu.tsx";
import { formatMoney } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { connectors } from "#shared/connectors/connectors.ts";
import type { transcriptRow } from "#shared/conversations/conversations.ts";

type Row = z.infer<typeof transcriptRow>;
const MICROS = 1_000_000;

type Props = Pick<
  ComponentProps<typeof DataTable<Row>>,
  "list" | "query" | "filters" | "empty" | "prefix" | "to" | "onOpen"
> & {
  /** The time by which the list is sorted. */
  time: "startedAt" | "lastAt";
  showsChatbot?: boolean;
};

/** Table of conversations for admins: person, subject, outcome and cost. */
export function ConversationTable({ time, showsChatbot = false, ...list }: Props) {
  const { t } = useTranslation();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const who = ({ person }: Row) => person?.name ?? t("chatbots.talks.visitor");
  const outcome = ({ outcome: how, unanswered }: Row) => {
    if (how === "goal") return <StatusDot tone="ok">{t("chatbots.talks.goal")}</StatusDot>;
    if (unanswered > 0)
      return <StatusDot tone="warn">{t("chatbots.talks.unanswered", { count: unanswered })}</StatusDot>;
    return how === "ended" ? <StatusDot tone="idle">{t("chatbots.talks.ended")}</StatusDot> : <Num value={null} />;
  };
  const cost = ({ costMicros }: Row) =>
    costMicros === 0 || !spending ? (
      <span className={classes.dim}>{t("chatbots.free")}</span>
    ) : (
      formatMoney(costMicros / MICROS, spending.currency)
    );
  return (
    <DataTable
      {...list}
      search={t("chatbots.talks.search")}
      noun={t("chatbots.talks.noun")}
      rowKey={(row) => row.id}
      name={(row) => row.title || t("chatbots.talks.untitled")}
      menu={(row) => <ConversationMenu id={row.id} chatbotId={row.chatbotId} />}
      columns={[
        { key: "title", head: t("chatbots.talks.first") },
        {
          key: "person",
          head: t("chatbots.talks.person"),
          render: (row) => (
            <>
              {who(row)}
              {row.company && <span className={classes.under}>{row.company}</span>}
            </>
          ),
        },
        ...(showsChatbot
          ? [{ key: "chatbot", head: t("chatbots.talks.answer"), render: (row: Row) => row.chatbot }]
          : []),
        {
          key: "course",
          head: t("chatbots.course"),
          minor: true,
          render: (row) => (row.course ? <span className={classes.words}>{row.course}</span> : <Num value={null} />),
        },
        {
          key: "questions",
          head: t("chatbots.talks.messages"),
          align: "right",
          render: (row) => <Num value={row.questions} />,
        },
        { key: "outcome", head: t("chatbots.talks.outcome"), render: outcome },
        { key: "cost", head: t("chatbots.talks.cost"), align: "right", minor: true, render: cost },
        {
          key: time,
          head: t(time === "lastAt" ? "chatbots.last" : "chatbots.talks.began"),
          render: (row) => <Time at={row[time]} />,
        },
      ]}
      phone={(row) => ({ line: who(row), side: <Time at={row[time]} />, sideLine: outcome(row) })}
    />
  );
}
