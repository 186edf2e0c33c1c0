import { NumberInput, Select, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { RubricFields } from "#web/chatbots/editor/RubricFields.tsx";
import { SceneFields } from "#web/chatbots/editor/SceneFields.tsx";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useHasModel } from "#web/prompts/modelChoice.ts";
import { queryFor } from "#web/core/api/api.ts";
import { pedagogy } from "#shared/chatbots/botSettings.ts";
import { prompts } from "#shared/prompts/prompts.ts";

/** How the chatbot answers: a teaching method with instructions, or a scripted scene. */
export function BehaviourFields({ form }: { form: BotForm }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(prompts.list, { query: { purpose: "chatbot", size: 200 } }));
  const way = form.values.pedagogy;
  const hasModel = useHasModel(form.values.modelChoice);
  return (
    <>
      <Select
        label={t("chatbots.fields.pedagogy")}
        description={t(`chatbots.pedagogyText.${way}`)}
        allowDeselect={false}
        data={pedagogy.options.map((value) => ({ value, label: t(`chatbots.pedagogyIs.${value}`) }))}
        {...form.getInputProps("pedagogy")}
      />
      {way === "scene" ? (
        <SceneFields form={form} />
      ) : (
        <>
          {way === "hints" && (
            <NumberInput
              label={t("chatbots.fields.hints")}
              maw={260}
              min={1}
              max={5}
              allowDecimal={false}
              {...form.getInputProps("hints")}
            />
          )}
          {!hasModel && (
            <Text size="sm" c="dimmed">
              {t("chatbots.fields.personaNeedsModel")}
            </Text>
          )}
          <Textarea
            label={<OptionalLabel>{t("chatbots.fields.persona")}</OptionalLabel>}
            description={t("chatbots.fields.personaHint")}
            autosize
            minRows={5}
            maxRows={16}
            maxLength={4000}
            {...form.getInputProps("persona")}
          />
          <Textarea
            label={<OptionalLabel>{t("chatbots.fields.goal")}</OptionalLabel>}
            autosize
            minRows={2}
            maxLength={1000}
            {...form.getInputProps("goal")}
          />
          <Select
            label={t("chatbots.fields.prompt")}
            description={t("chatbots.fields.promptHint")}
            clearable
            searchable
            data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps("promptId")}
          />
        </>
      )}
      <RubricFields form={form} />
    </>
  );
}
