import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { Chat } from "#web/conversations/Chat.tsx";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

type Props = { bot: Chatbot; isDirty: boolean; busy: boolean; onSave: () => void };

/** A conversation with the saved draft, excluded from all figures. It restarts after each saved change. */
export function BotPreview({ bot, isDirty, busy, onSave }: Props) {
  const { t } = useTranslation();
  const [round, setRound] = useState(0);
  return (
    <>
      <div className={conversationClasses.previewHead}>
        <span>
          <strong>{t("chatbots.preview.title")}</strong>
          <span className={classes.under}>{t("chatbots.preview.line")}</span>
        </span>
        {isDirty ? (
          <Button size="compact-sm" variant="default" loading={busy} onClick={onSave}>
            {t("chatbots.preview.saveAndTry")}
          </Button>
        ) : (
          <Button size="compact-sm" variant="subtle" onClick={() => setRound(round + 1)}>
            {t("chatbots.preview.again")}
          </Button>
        )}
      </div>
      <div className={conversationClasses.previewChat}>
        <Chat key={`${bot.version} ${round}`} chatbotId={bot.id} channel="preview" />
      </div>
    </>
  );
}
