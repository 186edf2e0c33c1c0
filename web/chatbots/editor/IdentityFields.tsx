import { ActionIcon, Button, ColorInput, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ButtonChoice } from "#web/chatbots/choices.tsx";
import classes from "#web/chatbots/chatbots.module.css";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";

const LANGUAGES = ["ar", "da", "de", "en", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv", "tr", "uk", "zh"];
const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** What people see: name, colour, first message, suggestions and buttons. */
export function IdentityFields({ form }: { form: BotForm }) {
  const { t } = useTranslation();
  const { greetings } = form.values;
  const used = Object.keys(greetings);
  const rename = (from: string, to: string) =>
    form.setFieldValue(
      "greetings",
      Object.fromEntries(Object.entries(greetings).map(([code, text]) => [code === from ? to : code, text])),
    );
  const options = (own: string) =>
    LANGUAGES.filter((code) => code === own || !used.includes(code)).map((code) => ({
      value: code,
      label: languageNames.of(code) ?? code,
    }));
  const free = LANGUAGES.find((code) => !used.includes(code));
  return (
    <>
      <TextInput label={t("chatbots.fields.name")} maxLength={120} {...form.getInputProps("name")} />
      <TextInput
        label={<OptionalLabel>{t("chatbots.fields.description")}</OptionalLabel>}
        description={t("chatbots.fields.descriptionHint")}
        maxLength={500}
        {...form.getInputProps("description")}
      />
      <ColorInput
        label={<OptionalLabel>{t("chatbots.fields.color")}</OptionalLabel>}
        maw={260}
        eyeDropperButtonProps={{ "aria-label": t("chatbots.fields.pick") }}
        value={form.values.color ?? ""}
        onChange={(color) => form.setFieldValue("color", color === "" ? null : color)}
        error={form.errors["color"]}
      />
      <Textarea
        label={<OptionalLabel>{t("chatbots.fields.greeting")}</OptionalLabel>}
        description={t("chatbots.fields.greetingHint")}
        autosize
        minRows={2}
        maxLength={1000}
        {...form.getInputProps("greeting")}
      />
      {Object.entries(greetings).map(([code, text], at) => (
        // Not keyed by language, which can change while the row is edited.
        <div key={at} className={classes.greeting}>
          <Select
            aria-label={t("chatbots.fields.language")}
            allowDeselect={false}
            searchable
            data={options(code)}
            value={code}
            onChange={(next) => next && rename(code, next)}
          />
          <Textarea
            aria-label={t("chatbots.fields.greetingIn", { language: languageNames.of(code) ?? code })}
            autosize
            maxLength={1000}
            value={text}
            onChange={(event) => form.setFieldValue("greetings", { ...greetings, [code]: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={t("chatbots.fields.removeGreeting", { language: languageNames.of(code) ?? code })}
            title={t("chatbots.fields.removeGreeting", { language: languageNames.of(code) ?? code })}
            onClick={() =>
              form.setFieldValue(
                "greetings",
                Object.fromEntries(Object.entries(greetings).filter(([other]) => other !== code)),
              )
            }
          >
            <IconTrash size={17} stroke={1.7} />
          </ActionIcon>
        </div>
      ))}
      {free && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={16} stroke={1.7} />}
          onClick={() => form.setFieldValue("greetings", { ...greetings, [free]: "" })}
        >
          {t("chatbots.fields.addGreeting")}
        </Button>
      )}
      {form.values.pedagogy !== "scene" && (
        <>
          <TagsInput
            label={<OptionalLabel>{t("chatbots.fields.quickReplies")}</OptionalLabel>}
            description={t("chatbots.fields.quickRepliesHint")}
            maxTags={6}
            splitChars={[]}
            {...form.getInputProps("quickReplies")}
          />
          <ButtonChoice
            label={<OptionalLabel>{t("chatbots.fields.buttons")}</OptionalLabel>}
            description={t("chatbots.fields.buttonsHint")}
            maxValues={20}
            {...form.getInputProps("buttonIds")}
          />
        </>
      )}
    </>
  );
}
