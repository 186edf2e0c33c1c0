import { Tabs } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { BotEditor } from "#web/chatbots/editor/BotEditor.tsx";
import { BotHead } from "#web/chatbots/BotHead.tsx";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import { BotQuestions } from "#web/chatbots/questions/BotQuestions.tsx";
import { BotVersions } from "#web/chatbots/versions/BotVersions.tsx";
import { BotConversations } from "#web/chatbots/transcripts/BotConversations.tsx";
import { useBotForm } from "#web/chatbots/editor/useBotForm.ts";
import { queryFor } from "#web/core/api/api.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";

const TABS = ["edit", "questions", "versions", "conversations"] as const;

/** /admin/chatbots/edit/:id: the draft with its preview, test questions, versions and conversations. */
export function ChatbotEditPage() {
  const { id = "" } = useParams();
  const { data: bot } = useSuspenseQuery(queryFor(chatbots.get, { params: { id } }));
  return <BotPage key={id} bot={bot} />;
}

function BotPage({ bot }: { bot: Chatbot }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const state = useBotForm(bot);
  const tab = TABS.find((name) => name === params.get("tab")) ?? "edit";
  const tabList = useTabInView(tab);
  return (
    <>
      <BotHead bot={bot} state={state} />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== "edit" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabList} mb="lg" style={{ flexWrap: "nowrap", overflowX: "auto" }}>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`chatbots.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="edit">
          <BotEditor bot={bot} state={state} />
        </Tabs.Panel>
        <Tabs.Panel value="questions">
          <BotQuestions bot={bot} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <BotVersions bot={bot} isDirty={state.isDirty} />
        </Tabs.Panel>
        <Tabs.Panel value="conversations">
          <BotConversations bot={bot} />
        </Tabs.Panel>
      </Tabs>
      {state.conflict.dialog}
      <UnsavedGuard when={state.isDirty} />
    </>
  );
}
