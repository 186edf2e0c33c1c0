import { Radio, Stack, Switch, TagsInput, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CompaniesChoice } from "#web/chatbots/CompaniesChoice.tsx";
import { CourseChoice } from "#web/chatbots/choices.tsx";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { botAccess } from "#shared/chatbots/botSettings.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

/** Who may use the chatbot and where, with its link and the code for other websites. */
export function AccessFields({ form, bot }: { form: BotForm; bot: Chatbot }) {
  const { t } = useTranslation();
  const { access, allowedOrigins, allCompanies, companyIds } = form.values;
  const link = `${location.origin}/chatbot/${bot.id}`;
  const label = bot.name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return (
    <>
      <Radio.Group label={t("chatbots.fields.access")} {...form.getInputProps("access")}>
        <Stack gap="sm" mt="xs">
          {botAccess.options.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`chatbots.accessIs.${value}`)}
              description={t(`chatbots.accessText.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <CourseChoice
        label={t("chatbots.fields.courses")}
        description={t("chatbots.fields.coursesHint")}
        maxValues={200}
        {...form.getInputProps("courseIds")}
      />
      {access !== "public" && (
        <CompaniesChoice value={{ allCompanies, companyIds }} onChange={(choice) => form.setValues(choice)} />
      )}
      {access !== "course" && <CopyField label={t("chatbots.fields.link")} text={link} />}
      {access === "public" && (
        <>
          <TagsInput
            label={<OptionalLabel>{t("chatbots.fields.origins")}</OptionalLabel>}
            description={t("chatbots.fields.originsHint")}
            placeholder={allowedOrigins.length === 0 ? "https://www.example.com" : ""}
            maxTags={20}
            {...form.getInputProps("allowedOrigins")}
            error={originError(form)}
          />
          {allowedOrigins.length === 0 && (
            <Text size="sm" c="dimmed">
              {t("chatbots.fields.snippetNeedsOrigin")}
            </Text>
          )}
          {allowedOrigins.length > 0 && (
            <>
              <CopyField
                label={t("chatbots.fields.snippet")}
                hint={t("chatbots.fields.snippetHint")}
                text={scriptFor(bot.id, label)}
              />
              <CopyField label={t("chatbots.fields.frame")} text={frameFor(link, label)} />
            </>
          )}
        </>
      )}
      <Switch
        label={t("chatbots.fields.dictation")}
        description={t("chatbots.fields.dictationHint")}
        {...form.getInputProps("dictation", { type: "checkbox" })}
      />
    </>
  );
}

/** HTML that embeds a chatbot in other websites: with a button, or as a frame. */
const scriptFor = (id: string, label: string) =>
  `<script src="${location.origin}/embed.js" data-chatbot="${id}" data-label="${label}" async></script>`;
const frameFor = (link: string, label: string) =>
  `<iframe src="${link}?embed=1" title="${label}" style="width:400px;height:600px;border:0"></iframe>`;

/** The first invalid address: the server reports each one as a separate field. */
const originError = ({ errors }: BotForm) =>
  Object.entries(errors).find(([path]) => path.startsWith("allowedOrigins"))?.[1] ?? null;
