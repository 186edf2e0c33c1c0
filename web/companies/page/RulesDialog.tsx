import { NumberInput, Switch, TagsInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useCompanyForm } from "#web/companies/useCompanyForm.ts";
import { dayIn, endOfDay } from "#web/core/format/zone.ts";
import { formatDate } from "#web/core/format/format.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { cityOf } from "#shared/core/dates.ts";

const MAX_DOMAINS = 50;

/** Rules of the access code: expiry, maximum uses and allowed email domains. */
export function RulesDialog({
  company,
  opened,
  onClose,
}: {
  company: CompanyRow;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const zone = company.timezone;
  const { form, dirty, save, discard, failure, busy, conflict } = useCompanyForm({
    company,
    onSaved: onClose,
    labels: {
      codeEnabled: t("companies.rules.enabled"),
      codeExpiresAt: t("companies.rules.expires"),
      codeMaxUses: t("companies.rules.maxUses"),
      allowedDomains: t("companies.rules.domains"),
    },
    show: (field, value) => {
      if (field === "codeEnabled") return t(value ? "core.yes" : "core.no");
      if (field === "codeExpiresAt" && typeof value === "string") return formatDate(dayIn(value, zone));
      return undefined;
    },
  });
  const { codeEnabled, codeExpiresAt, codeMaxUses, allowedDomains } = form.values;
  // Unsaved changes are discarded on closing.
  const close = () => {
    discard();
    onClose();
  };

  return (
    <>
      <FormDialog
        opened={opened}
        onClose={close}
        title={t("companies.rules.title")}
        submitLabel={t("companies.rules.verb")}
        busy={busy}
        disabled={!dirty}
        failure={failure}
        onSubmit={save}
      >
        <Switch
          label={t("companies.rules.enabled")}
          description={t("companies.rules.enabledHint")}
          checked={codeEnabled}
          onChange={(event) => form.setFieldValue("codeEnabled", event.currentTarget.checked)}
        />
        <DayInput
          label={<OptionalLabel>{t("companies.rules.expires")}</OptionalLabel>}
          description={t("companies.rules.expiresHint", { zone: cityOf(zone) })}
          placeholder={t("companies.noEnd")}
          error={form.errors.codeExpiresAt}
          value={codeExpiresAt && dayIn(codeExpiresAt, zone)}
          onChange={(day) => form.setFieldValue("codeExpiresAt", day && endOfDay(day, zone))}
        />
        <NumberInput
          label={<OptionalLabel>{t("companies.rules.maxUses")}</OptionalLabel>}
          description={t("companies.rules.maxUsesHint", { count: company.codeUsedCount })}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          styles={{ wrapper: { maxWidth: 280 } }}
          value={codeMaxUses ?? ""}
          error={form.errors.codeMaxUses}
          onChange={(value) => form.setFieldValue("codeMaxUses", value === "" ? null : Number(value))}
        />
        <TagsInput
          label={<OptionalLabel>{t("companies.rules.domains")}</OptionalLabel>}
          description={t("companies.rules.domainsHint")}
          splitChars={[",", " ", ";"]}
          maxTags={MAX_DOMAINS}
          placeholder={allowedDomains.length > 0 ? "" : "example.com"}
          value={allowedDomains}
          error={form.errors.allowedDomains}
          acceptValueOnBlur
          onChange={(tags) =>
            form.setFieldValue(
              "allowedDomains",
              tags.map((tag) => tag.trim().toLowerCase().replace(/^.*@/, "")).filter(Boolean),
            )
          }
        />
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
