import { Autocomplete, NumberInput, Select, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";
import { queryFor } from "#web/core/api/api.ts";
import { toChoice, useModelChoices } from "#web/prompts/modelChoice.ts";
import { connectors, type ModelUse } from "#shared/connectors/connectors.ts";

/** Voice conversations: whether they are allowed, and with which models and voice. */
export function VoiceFields({ form }: { form: BotForm }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(connectors.list));
  const connections = useModelChoices();
  const { voice, modelChoice, access, pedagogy } = form.values;
  const { connectorId } = toChoice(modelChoice);
  const connector = (data?.items ?? []).find(({ id, isDefault }) => (connectorId ? id === connectorId : isDefault));
  const modelsFor = (use: ModelUse) => (connector?.models ?? []).filter((model) => model.use === use);
  const speechModels = modelsFor("speech");
  const speaker = speechModels.find(({ id }) => id === voice.speechModel) ?? speechModels[0];
  const modelProps = (name: "transcriptionModel" | "speechModel", use: ModelUse) => ({
    label: t(`chatbots.voice.${name}`),
    placeholder: modelsFor(use)[0]?.id ?? t(`chatbots.voice.no.${use as "speech" | "transcription"}`),
    clearable: true,
    data: modelsFor(use).map(({ id }) => id),
    ...form.getInputProps(`voice.${name}`),
  });
  return (
    <>
      <Switch
        label={t("chatbots.voice.isOn")}
        description={t("chatbots.voice.isOnHint")}
        {...form.getInputProps("voice.isOn", { type: "checkbox" })}
      />
      {voice.isOn && (
        <>
          {pedagogy === "scene" && (
            <Select
              label={t("chatbots.voice.connection")}
              allowDeselect={false}
              data={connections}
              {...form.getInputProps("modelChoice")}
            />
          )}
          <div className={classes.pair}>
            <Select {...modelProps("transcriptionModel", "transcription")} />
            <Select {...modelProps("speechModel", "speech")} />
            <Autocomplete
              label={t("chatbots.voice.name")}
              placeholder={speaker?.voices?.[0] ?? ""}
              maxLength={100}
              data={speaker?.voices ?? []}
              {...form.getInputProps("voice.name")}
            />
            <NumberInput
              label={t("chatbots.voice.speed")}
              min={0.5}
              max={2}
              step={0.1}
              decimalScale={2}
              {...form.getInputProps("voice.speed")}
            />
          </div>
          <Switch
            label={t("chatbots.voice.browser")}
            description={t("chatbots.fields.dictationHint")}
            {...form.getInputProps("dictation", { type: "checkbox" })}
          />
          <Switch
            label={t("chatbots.voice.checks")}
            description={t("chatbots.voice.checksHint")}
            {...form.getInputProps("voice.checks", { type: "checkbox" })}
          />
          {access === "public" && (
            <Switch
              label={t("chatbots.voice.forVisitors")}
              description={t("chatbots.voice.forVisitorsHint")}
              {...form.getInputProps("voice.forVisitors", { type: "checkbox" })}
            />
          )}
        </>
      )}
    </>
  );
}
