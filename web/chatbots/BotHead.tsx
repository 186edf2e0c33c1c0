import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ChatbotMenu } from "#web/chatbots/ChatbotMenu.tsx";
import { PublishDialog } from "#web/chatbots/versions/PublishDialog.tsx";
import type { useBotForm } from "#web/chatbots/editor/useBotForm.ts";
import { BotMark } from "#web/conversations/BotMark.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

/** Name, live version, and Publish, which saves the draft first. */
export function BotHead({ bot, state }: { bot: Chatbot; state: ReturnType<typeof useBotForm> }) {
  const { t } = useTranslation();
  const [published, setPublished] = useState<Chatbot | null>(null);
  const { live, status, isChanged } = bot;
  const next = (live?.number ?? 0) + 1;
  const canPublish = status !== "archived" && (isChanged || state.isDirty || status === "draft");
  const line = () => {
    if (!live) return t("chatbots.edit.neverPublished");
    if (status === "archived") return t("chatbots.edit.archived");
    if (status === "paused") return t("chatbots.edit.paused", { number: live.number });
    return isChanged || state.isDirty
      ? t("chatbots.edit.stillSee", { number: live.number })
      : t("chatbots.edit.seeThis", { number: live.number });
  };
  const publish = async () => {
    const saved = state.isDirty ? await state.save() : bot;
    if (saved) setPublished(saved);
  };
  return (
    <>
      <PageHead
        parent={{ to: "/admin/chatbots", label: t("chatbots.title") }}
        title={bot.name}
        line={line()}
        mark={<BotMark color={bot.settings.color} />}
        actions={
          <>
            {canPublish && (
              <Button loading={state.busy} onClick={() => void publish()}>
                {t("chatbots.edit.publish", { number: next })}
              </Button>
            )}
            <Menu position="bottom-end" width={230}>
              <Menu.Target>
                <ActionIcon
                  variant="default"
                  size={38}
                  aria-label={t("web.table.rowMenu", { name: bot.name })}
                  title={t("web.table.rowMenu", { name: bot.name })}
                >
                  <IconDots size={18} stroke={1.8} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <ChatbotMenu bot={bot} />
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      {published && <PublishDialog bot={published} onClose={() => setPublished(null)} />}
    </>
  );
}
