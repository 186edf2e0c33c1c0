import { Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/transcripts/conversation.module.css";
import { Differences } from "#web/chatbots/versions/Differences.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";

/** Publishes the draft. Shows what is missing, or what changes for people. */
export function PublishDialog({ bot, onClose }: { bot: Chatbot; onClose: () => void }) {
  const { t } = useTranslation();
  const params = { id: bot.id };
  const { data: check } = useQuery(queryFor(chatbots.check, { params }));
  const { data: versions } = useQuery(queryFor(chatbots.versions, { params }));
  const [note, setNote] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  const publish = useApiMutation(chatbots.publish, { quiet: true });
  const problems = check?.items ?? [];
  const live = versions?.items.find(({ id }) => id === bot.live?.id);
  const number = (versions?.items[0]?.number ?? 0) + 1;
  const submit = async () => {
    try {
      await publish.mutateAsync({ params, body: { version: bot.version, note } });
      toast.done(t("chatbots.publish.done", { number }));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={620}
      title={t("chatbots.edit.publish", { number })}
      submitLabel={t("chatbots.edit.publish", { number })}
      disabled={!check || problems.length > 0}
      busy={publish.isPending}
      failure={failure}
      onSubmit={submit}
    >
      {problems.length > 0 ? (
        <div className={classes.problems} role="alert">
          <Text fw={620}>{t("chatbots.publish.missing", { count: problems.length })}</Text>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{t(`chatbots.problems.${problem}`)}</li>
            ))}
          </ul>
        </div>
      ) : (
        <>
          {check?.warnings.map((warning) => (
            <Text key={warning} className={classes.problems} role="status" mb="md">
              {t(`chatbots.warnings.${warning}`)}
            </Text>
          ))}
          <Text>{t(live ? "chatbots.publish.text" : "chatbots.publish.firstText")}</Text>
          {live && <Differences before={live} after={bot} />}
          <TextInput
            label={t("chatbots.publish.note")}
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
