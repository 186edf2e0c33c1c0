import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BrandPreview } from "#web/companies/page/BrandPreview.tsx";
import { ColorField } from "#web/companies/ColorField.tsx";
import { companyValidation } from "#web/companies/companyValidation.ts";
import { CompanyForm } from "#web/companies/CompanyForm.tsx";
import { LogoField } from "#web/companies/LogoField.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useCompanyForm } from "#web/companies/useCompanyForm.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import { hexColor } from "#shared/settings/branding.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";

/** Colour, logo and welcome text, with a preview of what learners see. */
export function BrandingTab({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const { form, base, dirty, save, rebase, discard, failure, busy, conflict } = useCompanyForm({
    company,
    labels: { color: t("companies.color.label"), welcome: t("companies.welcome") },
    checks: { color: companyValidation.color },
    show: (field, value) => (field === "color" && typeof value === "string" ? <Swatch color={value} /> : undefined),
  });
  const { color, welcome } = form.values;
  const valid = hexColor.safeParse(color).success ? color : null;
  return (
    <TwoColumns
      aside={
        <Section title={t("companies.preview.title")}>
          <BrandPreview name={company.name} logo={company.logo} color={valid} welcome={welcome} />
        </Section>
      }
    >
      <Section title={t("companies.tabs.branding")}>
        <CompanyForm dirty={dirty} busy={busy} failure={failure} onSave={save} onDiscard={discard}>
          <ColorField
            label={<OptionalLabel>{t("companies.color.label")}</OptionalLabel>}
            value={color ?? ""}
            error={form.errors.color}
            onChange={(next) => form.setFieldValue("color", next === "" ? null : next)}
          />
          <LogoField company={company} version={base.version} onSaved={rebase} />
          <Textarea
            label={<OptionalLabel>{t("companies.welcome")}</OptionalLabel>}
            description={t("companies.welcomeHint")}
            autosize
            minRows={3}
            maxLength={500}
            {...form.getInputProps("welcome")}
          />
        </CompanyForm>
      </Section>
      {conflict.dialog}
    </TwoColumns>
  );
}

const Swatch = ({ color }: { color: string }) => (
  <span style={{ display: "inline-flex", alignItems: "center", gap: 8 }}>
    <span style={{ width: 18, height: 18, borderRadius: 5, background: color }} aria-hidden />
    {color}
  </span>
);
