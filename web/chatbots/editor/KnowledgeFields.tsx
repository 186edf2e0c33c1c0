import { NumberInput, Select, Text, Textarea } from "@mantine/core";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useTranslation } from "react-i18next";
import { DocumentChoice, VariableChoice } from "#web/chatbots/choices.tsx";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";
import { useModelChoices } from "#web/prompts/modelChoice.ts";
import { answerPolicy } from "#shared/chatbots/botSettings.ts";

type Props = { form: BotForm; part: "knowledge" | "model" | "values" };

/** Documents, language model, and variables of the learner. */
export function KnowledgeFields({ form, part }: Props) {
  const { t } = useTranslation();
  const models = useModelChoices();
  const isScene = form.values.pedagogy === "scene";
  if (isScene && part !== "values") return <Text c="dimmed">{t(`chatbots.fields.sceneNeedsNo.${part}`)}</Text>;
  if (part === "knowledge")
    return (
      <>
        <DocumentChoice
          label={<OptionalLabel>{t("chatbots.fields.documents")}</OptionalLabel>}
          description={t("chatbots.fields.documentsHint")}
          maxValues={200}
          {...form.getInputProps("documentIds")}
        />
        <Select
          label={t("chatbots.fields.answerPolicy")}
          allowDeselect={false}
          data={answerPolicy.options.map((value) => ({ value, label: t(`chatbots.policyIs.${value}`) }))}
          {...form.getInputProps("answerPolicy")}
        />
        <Textarea
          label={t("chatbots.fields.refusal")}
          placeholder={t("chat.refusal")}
          autosize
          minRows={2}
          maxLength={600}
          {...form.getInputProps("refusalText")}
        />
      </>
    );
  if (part === "model")
    return (
      <>
        <Select
          label={t("chatbots.fields.model")}
          description={t("chatbots.fields.modelHint")}
          allowDeselect={false}
          data={models}
          {...form.getInputProps("modelChoice")}
        />
        <NumberInput
          label={t("chatbots.fields.temperature")}
          description={t("chatbots.fields.temperatureHint")}
          maw={260}
          min={0}
          max={2}
          step={0.1}
          {...form.getInputProps("temperature")}
        />
      </>
    );
  return (
    <>
      <VariableChoice
        label={<OptionalLabel>{t("chatbots.fields.reads")}</OptionalLabel>}
        description={t("chatbots.fields.readsHint")}
        maxValues={50}
        {...form.getInputProps("readVariableIds")}
      />
      {!isScene && (
        <VariableChoice
          label={<OptionalLabel>{t("chatbots.fields.writes")}</OptionalLabel>}
          description={t("chatbots.fields.writesHint")}
          maxValues={20}
          {...form.getInputProps("writeVariableIds")}
        />
      )}
    </>
  );
}
