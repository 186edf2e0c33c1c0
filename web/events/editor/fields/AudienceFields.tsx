import { Radio, Stack, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CompanyField } from "#web/events/editor/fields/CompanyField.tsx";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import { eventVisibility } from "#shared/events/eventPhases.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

/** Who can see the event. */
export function AudienceFields({ form, event }: { form: EventForm; event: AdminEvent | null }) {
  const { t } = useTranslation();
  const { visibility, companyId } = form.getValues();
  return (
    <EditorSection name="audience">
      <Radio.Group label={t("events.fields.visibility")} {...form.getInputProps("visibility")}>
        <Stack gap={10} mt={6}>
          {eventVisibility.options.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`events.visibility.${value}`)}
              description={t(`events.visibilityHint.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {visibility === "company" && (
        <CompanyField
          label={t("events.fields.companyId")}
          id={companyId}
          error={form.errors.companyId}
          onChange={(id) => form.setFieldValue("companyId", id)}
        />
      )}
      {visibility === "code" && (
        <TextInput
          label={t("events.fields.accessCode")}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("accessCode")}
          description={event?.hasCode ? t("events.edit.codeSet") : t("events.edit.codeHint")}
          placeholder={event?.hasCode ? "••••••••" : ""}
        />
      )}
      {visibility === "public" && (
        <Switch
          label={t("events.fields.indexable")}
          description={t("events.edit.indexableHint")}
          {...form.getInputProps("indexable", { type: "checkbox" })}
        />
      )}
    </EditorSection>
  );
}
