import { Group, NumberInput, Radio, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { ChatbotField } from "#web/events/editor/fields/ChatbotField.tsx";
import { CompanyField } from "#web/events/editor/fields/CompanyField.tsx";
import { CourseField } from "#web/events/editor/fields/CourseField.tsx";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import type { EventForm } from "#web/events/editor/useEventForm.ts";

/** Organiser, privacy notice, retention period, reminders and follow-up course. */
export function MailFields({ form }: { form: EventForm }) {
  const { t } = useTranslation();
  const { followUpCourseId, followUpCompanyId } = form.getValues();
  return (
    <EditorSection name="mails">
      <div className={classes.pair}>
        <TextInput
          label={<OptionalLabel>{t("events.fields.organiserName")}</OptionalLabel>}
          description={t("events.edit.organiserHint")}
          maxLength={120}
          autoComplete="off"
          {...form.getInputProps("organiserName")}
        />
        <TextInput
          label={<OptionalLabel>{t("events.fields.organiserEmail")}</OptionalLabel>}
          description={t("events.edit.replyToHint")}
          type="email"
          autoComplete="off"
          {...form.getInputProps("organiserEmail")}
        />
      </div>
      {form.getValues().organiserName.trim() && (
        <Radio.Group label={t("events.fields.organiserKind")} {...form.getInputProps("organiserKind")}>
          <Group gap="lg" mt={6}>
            {(["organisation", "person"] as const).map((kind) => (
              <Radio key={kind} value={kind} label={t(`events.hostKind.${kind}`)} />
            ))}
          </Group>
        </Radio.Group>
      )}
      <Switch
        label={t("events.fields.reminders")}
        description={t("events.edit.remindersHint")}
        {...form.getInputProps("reminders", { type: "checkbox" })}
      />
      <Textarea
        label={t("events.fields.privacyNotice")}
        description={t("events.edit.privacyHint")}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={5000}
        {...form.getInputProps("privacyNotice")}
      />
      <NumberInput
        label={t("events.fields.retentionDays")}
        description={t("events.edit.retentionHint")}
        maw={280}
        min={1}
        max={3650}
        allowDecimal={false}
        {...form.getInputProps("retentionDays")}
      />
      <ChatbotField
        value={form.getValues().chatbotId}
        error={form.errors.chatbotId}
        onChange={(id) => form.setFieldValue("chatbotId", id)}
      />
      <div className={classes.pair}>
        <CourseField
          label={t("events.fields.followUpCourseId")}
          description={t("events.edit.followUpHint")}
          value={followUpCourseId}
          error={form.errors.followUpCourseId}
          onChange={(id) => form.setFieldValue("followUpCourseId", id)}
        />
        {followUpCourseId && (
          <CompanyField
            label={t("events.fields.followUpCompanyId")}
            description={t("events.edit.followUpCompanyHint")}
            id={followUpCompanyId}
            error={form.errors.followUpCompanyId}
            onChange={(id) => form.setFieldValue("followUpCompanyId", id)}
          />
        )}
      </div>
    </EditorSection>
  );
}
