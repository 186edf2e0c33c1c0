import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ConversationTable } from "#web/chatbots/transcripts/ConversationTable.tsx";
import { TranscriptPanel } from "#web/chatbots/transcripts/TranscriptPanel.tsx";
import { useCompanyChoices } from "#web/connectors/useCompanyChoices.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";

/** The conversations with this chatbot; the open one is in the URL. */
export function BotConversations({ bot }: { bot: Chatbot }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
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
  return (
    <>
      <ConversationTable
        list={conversations.all}
        query={{ chatbotId: bot.id }}
        time="lastAt"
        filters={[
          { key: "companyId", label: t("chatbots.talks.company"), options: companies },
          {
            key: "orders",
            label: t("chatbots.talks.notice"),
            options: [{ value: "yes", label: t("chatbots.talks.ordersOnly") }],
          },
        ]}
        onOpen={(row) => open(row.id)}
        empty={{ title: t("chatbots.talks.none"), text: t("chatbots.talks.noneText") }}
      />
      {opened && <TranscriptPanel key={opened} id={opened} onClose={() => open(null)} />}
    </>
  );
}
