import { useForm, type UseFormReturnType } from "@mantine/form";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { issuesOf } from "#web/core/http/messages.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type BotSettings } from "#shared/chatbots/botSettings.ts";
import { type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";

/**
 * The draft as form values: numbers may be empty texts while they are edited, and connector and model are one option.
 */
export type BotValues = Omit<BotSettings, "temperature" | "connectorId" | "model"> & {
  name: string;
  temperature: number | "";
  modelChoice: string;
};
export type BotForm = UseFormReturnType<BotValues>;

function valuesOf({ name, settings: { temperature, connectorId, model, ...settings } }: Chatbot): BotValues {
  return {
    ...settings,
    name,
    temperature: temperature ?? "",
    modelChoice: connectorId ? `${connectorId} ${model ?? ""}`.trim() : "",
  };
}

function draftFrom({ name, temperature, modelChoice, ...settings }: BotValues) {
  const [connectorId, ...model] = modelChoice.split(" ");
  return {
    name,
    settings: {
      ...settings,
      temperature: temperature === "" ? null : temperature,
      connectorId: connectorId || null,
      model: model.join(" ") || null,
    },
  };
}

/** The form of a draft. Saves with the version on which it is based; a conflict opens a dialog. */
export function useBotForm(bot: Chatbot) {
  const { t } = useTranslation();
  const form = useForm<BotValues>({
    initialValues: valuesOf(bot),
    validate: { name: (name) => (name.trim() ? null : t("chatbots.create.enterName")) },
  });
  const [baseVersion, setBaseVersion] = useState(bot.version);
  const saving = useApiMutation(chatbots.update, { quiet: true });
  const isDirty = form.isDirty();
  const fill = (now: Chatbot) => {
    form.setInitialValues(valuesOf(now));
    form.setValues(valuesOf(now));
    setBaseVersion(now.version);
  };
  const refresh = useEffectEvent((version: number) => {
    if (!isDirty && version > baseVersion) fill(bot);
  });
  // oxlint-disable-next-line react/set-state-in-effect -- the fields live in the form, which nothing else can refill
  useEffect(() => refresh(bot.version), [bot.version]);

  const store = async (version: number): Promise<Chatbot | null> => {
    try {
      const saved = await saving.mutateAsync({
        params: { id: bot.id },
        body: { version, ...draftFrom(form.getValues()) },
      });
      fill(saved);
      return saved;
    } catch (error) {
      if (await conflict.handleError(error, mine())) return null;
      const issues = issuesOf(error);
      form.setErrors(
        Object.fromEntries(Object.entries(issues).map(([path, text]) => [path.replace(/^settings\./, ""), text])),
      );
      if (Object.keys(issues).length === 0) toast.failed(error);
      return null;
    }
  };
  const mine = (): Partial<Chatbot> => {
    const { name, settings } = draftFrom(form.getValues());
    return { name, settings };
  };
  const conflict = useConflict<Chatbot>({
    labels: { name: t("chatbots.fields.name"), settings: t("chatbots.edit.settings") },
    onKeepMine: (_, version) => void store(version),
    onTakeTheirs: fill,
    formatValue: (field, value) => (field === "settings" ? t("chatbots.edit.differentSettings") : String(value ?? "")),
  });
  return {
    form,
    isDirty,
    busy: saving.isPending,
    conflict,
    /** Saves the draft. Null after an error, which the form or a dialog shows. */
    save: async () => (form.validate().hasErrors ? null : store(baseVersion)),
    discard: () => form.reset(),
  };
}
