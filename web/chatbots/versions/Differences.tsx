import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { settingChanges } from "#web/chatbots/versions/settingChanges.ts";
import { TextDiff } from "#web/prompts/TextDiff.tsx";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";

type Draft = { name: string; settings: BotSettings };
/** Settings whose values are ids or too technical to be shown. */
const UNREADABLE = new Set([
  "documentIds",
  "buttonIds",
  "readVariableIds",
  "writeVariableIds",
  "courseIds",
  "companyIds",
  "promptId",
  "connectorId",
  "carePersonId",
]);

/** Differences between two drafts or versions by setting. */
export function Differences({ before, after }: { before: Draft; after: Draft }) {
  const { t } = useTranslation();
  const changes = settingChanges(before, after);
  if (changes.length === 0) return <p className={classes.dim}>{t("chatbots.versions.same")}</p>;
  return (
    <div className={conversationClasses.changes}>
      {changes.map(({ field, before: old, after: now }) => (
        <section key={field}>
          <h3>{t(`chatbots.settings.${field}`)}</h3>
          {UNREADABLE.has(field) ? (
            <p className={classes.dim}>{t("chatbots.versions.otherChoice")}</p>
          ) : (
            <TextDiff before={old === "" ? " " : old} after={now} />
          )}
        </section>
      ))}
    </div>
  );
}
