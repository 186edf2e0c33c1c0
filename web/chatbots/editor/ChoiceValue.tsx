import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/transcripts/conversation.module.css";
import { queryFor } from "#web/core/api/api.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import { variables } from "#shared/variables/variables.ts";

type Sets = BotSettings["scene"][number]["choices"][number]["sets"];
type Props = { number: number; sets: Sets; onChange: (sets: Sets) => void };

/** The value that an answer of a scene sets; its type and limits are those of the variable. */
export function ChoiceValue({ number, sets, onChange }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(variables.list, { query: { size: 200 } }));
  if (!sets && (data?.items ?? []).length === 0) return null;
  const shown = typeof sets?.value === "string" ? sets.value : JSON.stringify(sets?.value ?? "");
  return (
    <div className={classes.choiceValue}>
      <Select
        size="sm"
        label={t("chatbots.scene.sets", { number })}
        placeholder={t("chatbots.scene.setsNothing")}
        clearable
        searchable
        data={(data?.items ?? []).map(({ id, label }) => ({ value: id, label }))}
        value={sets?.variableId ?? null}
        onChange={(variableId) => onChange(variableId ? { variableId, value: sets?.value ?? "" } : null)}
      />
      {sets && (
        <TextInput
          size="sm"
          label={t("chatbots.scene.value", { number })}
          maxLength={300}
          value={shown}
          onChange={(event) => onChange({ ...sets, value: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
