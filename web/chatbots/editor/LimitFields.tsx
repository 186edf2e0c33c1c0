import { NumberInput, Select, TagsInput, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { accounts } from "#shared/auth/account.ts";

const amounts = ["perPerson", "perDay", "perConversation", "perAddress", "inputChars", "outputTokens"] as const;

/** Limits, retention, and the handover to a person. */
export function LimitFields({ form }: { form: BotForm }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(accounts.admins));
  return (
    <>
      <div className={classes.pair}>
        {amounts.map((name) => (
          <NumberInput
            key={name}
            label={t(`chatbots.limits.${name}`)}
            hideControls
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            {...form.getInputProps(`limits.${name}`)}
          />
        ))}
      </div>
      <Text size="sm" c="dimmed">
        {t("chatbots.limits.perNetwork")}
      </Text>
      <Textarea
        label={t("chatbots.limits.text")}
        placeholder={t("chat.limit")}
        autosize
        minRows={2}
        maxLength={600}
        {...form.getInputProps("limits.text")}
      />
      <NumberInput
        label={t("chatbots.fields.retention")}
        description={t("chatbots.fields.retentionHint")}
        maw={260}
        hideControls
        min={1}
        max={3650}
        allowDecimal={false}
        {...form.getInputProps("retentionDays")}
      />
      <TagsInput
        label={<OptionalLabel>{t("chatbots.fields.blocked")}</OptionalLabel>}
        description={t("chatbots.fields.blockedHint")}
        maxTags={200}
        splitChars={[]}
        {...form.getInputProps("blockedPhrases")}
        error={firstError(form, "blockedPhrases")}
      />
      {form.values.blockedPhrases.length > 0 && (
        <Textarea
          label={t("chatbots.fields.blockedText")}
          placeholder={t("chat.blocked")}
          autosize
          minRows={2}
          maxLength={600}
          {...form.getInputProps("blockedText")}
        />
      )}
      <Textarea
        label={t("chatbots.fields.care")}
        description={t("chatbots.fields.careHint")}
        placeholder={t("chat.care")}
        autosize
        minRows={3}
        maxLength={1000}
        {...form.getInputProps("careText")}
      />
      <Select
        label={t("chatbots.fields.carePerson")}
        clearable
        searchable
        placeholder={t("chatbots.fields.allAdmins")}
        data={(data?.items ?? []).map(({ id, name, email }) => ({ value: id, label: name || email }))}
        {...form.getInputProps("carePersonId")}
      />
    </>
  );
}

/** The error of the first invalid entry of a list field. */
const firstError = ({ errors }: BotForm, field: string) =>
  Object.entries(errors).find(([path]) => path.startsWith(field))?.[1] ?? null;
