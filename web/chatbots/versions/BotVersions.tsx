import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { Differences } from "#web/chatbots/versions/Differences.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type BotVersion, type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";

/** Every published version with its changes; each can be restored as the draft. */
export function BotVersions({ bot, isDirty }: { bot: Chatbot; isDirty: boolean }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(chatbots.versions, { params: { id: bot.id } }));
  const [shown, setShown] = useState<string | null>(null);
  const restoring = useApiMutation(chatbots.restore);
  const restore = async ({ id, number }: BotVersion) => {
    await restoring.mutateAsync({ params: { id: bot.id }, body: { versionId: id, version: bot.version } });
    toast.done(t("chatbots.versions.restored", { number }));
  };
  const versions = data?.items ?? [];
  if (data && versions.length === 0)
    return <EmptyState title={t("chatbots.versions.none")} text={t("chatbots.versions.noneText")} />;
  return (
    <ol className={conversationClasses.versions}>
      {versions.map((version, at) => {
        const before = versions[at + 1];
        const isShown = shown === version.id;
        return (
          <li key={version.id}>
            <div className={conversationClasses.version}>
              <span>
                <strong>{t("chatbots.versionNumber", { number: version.number })}</strong>{" "}
                {version.id === bot.live?.id && <Pill tone="ok">{t("chatbots.versions.live")}</Pill>}
                <span className={classes.under}>
                  {version.publishedBy} · <Time at={version.publishedAt} />
                  {version.note && ` · ${version.note}`}
                </span>
              </span>
              <span className={classes.tools}>
                {before && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-expanded={isShown}
                    onClick={() => setShown(isShown ? null : version.id)}
                  >
                    {t(isShown ? "chatbots.versions.hide" : "chatbots.versions.changes")}
                  </Button>
                )}
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={isDirty}
                  loading={restoring.isPending}
                  onClick={() => void restore(version)}
                >
                  {t("chatbots.versions.restore")}
                </Button>
              </span>
            </div>
            {isShown && before && <Differences before={before} after={version} />}
          </li>
        );
      })}
    </ol>
  );
}
