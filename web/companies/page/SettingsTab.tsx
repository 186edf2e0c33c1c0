import { NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { validateRecordingDays, validateRetentionYears, companyValidation } from "#web/companies/companyValidation.ts";
import { CompanyForm } from "#web/companies/CompanyForm.tsx";
import classes from "#web/companies/CompanyForm.module.css";
import { CareForm } from "#web/care/CareForm.tsx";
import { DangerZone } from "#web/companies/page/DangerZone.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { StoredRecordings } from "#web/companies/page/StoredRecordings.tsx";
import { useCompanyForm } from "#web/companies/useCompanyForm.ts";
import { TimeZoneSelect } from "#web/companies/TimeZoneSelect.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { pinLogin } from "#shared/auth/pins.ts";
import { erasurePolicy } from "#shared/privacy/privacy.ts";

const { name, contactEmail, learnerLimit } = companyValidation;

/** Name, time zone, contact, learner limit and notes; suspend and archive. */
export function SettingsTab({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const { form, dirty, save, discard, failure, busy, conflict } = useCompanyForm({
    company,
    labels: {
      name: t("companies.name"),
      timezone: t("companies.timezone"),
      contactName: t("companies.contactName"),
      contactEmail: t("companies.contactEmail"),
      learnerLimit: t("companies.limit"),
      notes: t("companies.notes"),
      erasurePolicy: t("companies.erasure.label"),
      retentionYears: t("companies.erasure.years"),
      maskNames: t("companies.maskNames.label"),
      recordPages: t("companies.recordings.label"),
      recordingDays: t("companies.recordings.days"),
      pinLogin: t("companies.pinLogin.label"),
    },
    checks: {
      name,
      contactEmail,
      learnerLimit,
      retentionYears: validateRetentionYears,
      recordingDays: validateRecordingDays,
    },
    show: (field, value) => {
      if (field === "recordPages") return t(value ? "companies.maskNames.on" : "companies.maskNames.off");
      if (field === "maskNames") return t(value ? "companies.maskNames.on" : "companies.maskNames.off");
      if (field === "pinLogin") return t(`companies.pinLogin.${pinLogin.catch("off").parse(value)}`);
      if (field === "erasurePolicy") return t(`companies.erasure.is.${erasurePolicy.catch("anonymise").parse(value)}`);
      return undefined;
    },
  });
  const limit = form.values.learnerLimit;
  return (
    <>
      <Section title={t("companies.tabs.settings")}>
        <CompanyForm dirty={dirty} busy={busy} failure={failure} onSave={save} onDiscard={discard}>
          <TextInput label={t("companies.name")} maxLength={120} autoComplete="off" {...form.getInputProps("name")} />
          <TimeZoneSelect {...form.getInputProps("timezone")} />
          <div className={classes.pair}>
            <TextInput
              label={<OptionalLabel>{t("companies.contactName")}</OptionalLabel>}
              maxLength={120}
              autoComplete="off"
              {...form.getInputProps("contactName")}
            />
            <TextInput
              type="email"
              label={<OptionalLabel>{t("companies.contactEmail")}</OptionalLabel>}
              autoComplete="off"
              {...form.getInputProps("contactEmail")}
            />
          </div>
          <NumberInput
            label={<OptionalLabel>{t("companies.limit")}</OptionalLabel>}
            allowDecimal={false}
            allowNegative={false}
            max={1_000_000}
            thousandSeparator=","
            styles={{ wrapper: { maxWidth: 280 } }}
            description={
              limit !== null && limit < company.seats
                ? t("companies.limitBelow", { count: company.seats })
                : t("companies.limitHint")
            }
            value={limit ?? ""}
            error={form.errors.learnerLimit}
            onChange={(value) => form.setFieldValue("learnerLimit", value === "" ? null : Number(value))}
          />
          <Textarea
            label={<OptionalLabel>{t("companies.notes")}</OptionalLabel>}
            description={t("companies.notesHint")}
            autosize
            minRows={3}
            maxLength={4000}
            {...form.getInputProps("notes")}
          />
          <Select
            label={t("companies.erasure.label")}
            description={t("companies.erasure.hint")}
            allowDeselect={false}
            data={erasurePolicy.options.map((value) => ({ value, label: t(`companies.erasure.is.${value}`) }))}
            {...form.getInputProps("erasurePolicy")}
          />
          {form.values.erasurePolicy === "retain" && (
            <NumberInput
              label={t("companies.erasure.years")}
              min={1}
              max={30}
              allowDecimal={false}
              styles={{ wrapper: { maxWidth: 280 } }}
              value={form.values.retentionYears}
              error={form.errors.retentionYears}
              onChange={(value) => form.setFieldValue("retentionYears", Number(value))}
            />
          )}
          <Select
            label={t("companies.pinLogin.label")}
            description={t("companies.pinLogin.about")}
            allowDeselect={false}
            data={pinLogin.options.map((value) => ({ value, label: t(`companies.pinLogin.${value}`) }))}
            {...form.getInputProps("pinLogin")}
          />
          <Switch
            label={t("companies.maskNames.label")}
            description={t("companies.maskNames.hint")}
            {...form.getInputProps("maskNames", { type: "checkbox" })}
          />
          <Switch
            label={t("companies.recordings.label")}
            description={t("companies.recordings.hint")}
            {...form.getInputProps("recordPages", { type: "checkbox" })}
          />
          {form.values.recordPages && (
            <NumberInput
              label={t("companies.recordings.days")}
              description={t("companies.recordings.daysHint")}
              min={1}
              max={3650}
              allowDecimal={false}
              styles={{ wrapper: { maxWidth: 280 } }}
              value={form.values.recordingDays}
              error={form.errors.recordingDays}
              onChange={(value) => form.setFieldValue("recordingDays", Number(value))}
            />
          )}
          <StoredRecordings company={company} />
        </CompanyForm>
      </Section>
      <Section title={t("care.title")}>
        <CareForm id={company.id} />
      </Section>
      <Section title={t("companies.danger")}>
        <DangerZone company={company} />
      </Section>
      {conflict.dialog}
    </>
  );
}
