import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import classes from "#web/chatbots/chatbots.module.css";
import { ConversationMenu } from "#web/chatbots/transcripts/ConversationMenu.tsx";
import { TranscriptPanel } from "#web/chatbots/transcripts/TranscriptPanel.tsx";
import { formatMoney } from "#web/connectors/amounts.ts";
import { useCompanyChoices } from "#web/connectors/useCompanyChoices.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { Chatbot } from "#shared/chatbots.ts";
import { connectors } from "#shared/connectors.ts";
import { conversations } from "#shared/conversations.ts";

/** What people talked about with this chatbot; the address names the conversation that is open. */
export function BotConversations({ bot }: { bot: Chatbot }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const companies = useCompanyChoices();
  const opened = params.get("conversation");
  const open = (id: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (id) next.set("conversation", id);
        else next.delete("conversation");
        return next;
      },
      { preventScrollReset: true },
    );
  type Row = { outcome: "goal" | "ended" | null; unanswered: number };
  const outcome = ({ outcome: how, unanswered }: Row) => {
    if (how === "goal") return <StatusDot tone="ok">{t("chatbots.talks.goal")}</StatusDot>;
    if (unanswered > 0)
      return <StatusDot tone="warn">{t("chatbots.talks.unanswered", { count: unanswered })}</StatusDot>;
    return how === "ended" ? <StatusDot tone="idle">{t("chatbots.talks.ended")}</StatusDot> : <Num value={null} />;
  };
  const who = ({ person }: { person: { name: string } | null }) => person?.name ?? t("chatbots.talks.visitor");
  return (
    <>
      <DataTable
        list={conversations.all}
        query={{ chatbotId: bot.id }}
        search={t("chatbots.talks.search")}
        noun={t("chatbots.talks.noun")}
        filters={[{ key: "companyId", label: t("chatbots.talks.company"), options: companies }]}
        rowKey={(row) => row.id}
        name={(row) => row.title || t("chatbots.talks.untitled")}
        onOpen={(row) => open(row.id)}
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
          {
            key: "course",
            head: t("chatbots.course"),
            minor: true,
            render: (row) => row.course ?? <Num value={null} />,
          },
          {
            key: "questions",
            head: t("chatbots.talks.messages"),
            align: "right",
            render: (row) => <Num value={row.questions} />,
          },
          { key: "outcome", head: t("chatbots.talks.outcome"), render: outcome },
          {
            key: "cost",
            head: t("chatbots.talks.cost"),
            align: "right",
            minor: true,
            render: (row) =>
              row.costMicros === 0 || !spending ? (
                <span className={classes.dim}>{t("chatbots.free")}</span>
              ) : (
                formatMoney(row.costMicros / 1e6, spending.currency)
              ),
          },
          { key: "lastAt", head: t("chatbots.last"), render: (row) => <Time at={row.lastAt} /> },
        ]}
        phone={(row) => ({ line: who(row), side: <Time at={row.lastAt} />, sideLine: outcome(row) })}
        empty={{ title: t("chatbots.talks.none"), text: t("chatbots.talks.noneText") }}
      />
      {opened && <TranscriptPanel key={opened} id={opened} onClose={() => open(null)} />}
    </>
  );
}
