import { Button, SegmentedControl, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { IconBuildingFortress } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CompanyForm } from "#web/companies/CompanyForm.tsx";
import classes from "#web/companies/CompanyForm.module.css";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { useSsoForm } from "#web/companies/page/useSsoForm.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import type { Reply } from "#shared/core/route.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { sso } from "#shared/auth/sso.ts";

/** Single sign-on settings of a company, with OpenID Connect or SAML. */
export function SignInTab({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(sso.get, { params: { id: company.id } }));
  const [isSettingUp, setSettingUp] = useState(false);
  if (data.connection || isSettingUp)
    return (
      <SsoSettings
        key={data.connection ? "existing" : "new"}
        company={company}
        settings={data}
        onRemoved={() => setSettingUp(false)}
      />
    );
  return (
    <EmptyState
      title={t("companies.sso.none")}
      text={t("companies.sso.noneText", { company: company.name })}
      action={
        <Button leftSection={<IconBuildingFortress size={18} stroke={1.7} />} onClick={() => setSettingUp(true)}>
          {t("companies.sso.setUp")}
        </Button>
      }
    />
  );
}

type Props = { company: CompanyRow; settings: Reply<typeof sso.get>; onRemoved: () => void };

function SsoSettings({ company, settings, onRemoved }: Props) {
  const { t } = useTranslation();
  const { form, base, dirty, save, discard, failure, busy, conflict } = useSsoForm(company.id, settings.connection);
  const remove = useApiMutation(sso.remove);
  const { kind, enforced } = form.getValues();
  const confirmRemoval = () =>
    confirm({
      title: t("companies.sso.removeTitle", { company: company.name }),
      text: t("companies.sso.removeText"),
      confirmLabel: t("companies.sso.remove"),
      cancelLabel: t("companies.sso.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id: company.id } });
        toast.done(t("companies.sso.removed"));
        onRemoved();
      },
    });
  return (
    <>
      <Section
        title={t("companies.sso.title")}
        side={
          base && (
            <Button size="xs" variant="default" c="var(--ly-bad)" onClick={confirmRemoval}>
              {t("companies.sso.remove")}
            </Button>
          )
        }
      >
        <CompanyForm dirty={dirty} busy={busy} failure={failure} onSave={save} onDiscard={discard}>
          <SegmentedControl
            aria-label={t("companies.sso.kind")}
            data={[
              { value: "oidc", label: "OpenID Connect" },
              { value: "saml", label: "SAML 2.0" },
            ]}
            {...form.getInputProps("kind")}
          />
          {kind === "oidc" ? (
            <>
              <CopyField label={t("companies.sso.redirect")} text={settings.redirect} />
              <TextInput
                label={t("companies.sso.issuer")}
                description={t("companies.sso.issuerHint")}
                placeholder={t("companies.sso.issuerExample")}
                type="url"
                autoComplete="off"
                spellCheck={false}
                {...form.getInputProps("issuer")}
              />
              <div className={classes.pair}>
                <TextInput
                  label={t("companies.sso.clientId")}
                  placeholder={t("companies.sso.clientExample")}
                  autoComplete="off"
                  {...form.getInputProps("clientId")}
                />
                <TextInput
                  label={t("companies.sso.clientSecret")}
                  type="password"
                  autoComplete="new-password"
                  placeholder={base?.hasSecret ? t("companies.sso.secretStored") : ""}
                  {...form.getInputProps("clientSecret")}
                />
              </div>
            </>
          ) : (
            <>
              <CopyField label={t("companies.sso.acs")} text={settings.acs} />
              <CopyField
                label={t("companies.sso.entityId")}
                text={settings.entityId}
                hint={t("companies.sso.entityHint")}
              />
              <TextInput
                label={t("companies.sso.samlIssuer")}
                placeholder={t("companies.sso.samlIssuerExample")}
                spellCheck={false}
                autoComplete="off"
                {...form.getInputProps("issuer")}
              />
              <TextInput
                label={t("companies.sso.entryPoint")}
                description={t("companies.sso.entryHint")}
                placeholder={t("companies.sso.entryExample")}
                spellCheck={false}
                type="url"
                autoComplete="off"
                {...form.getInputProps("entryPoint")}
              />
              <Textarea
                label={t("companies.sso.certificate")}
                description={
                  base?.certificateEnds
                    ? t("companies.sso.certificateEnds", { day: formatDate(base.certificateEnds) })
                    : t("companies.sso.certificateHint")
                }
                autosize
                placeholder={t("companies.sso.certificateExample")}
                minRows={3}
                maxRows={8}
                spellCheck={false}
                styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
                {...form.getInputProps("certificate")}
              />
            </>
          )}
          <TagsInput
            label={t("companies.sso.domains")}
            description={t("companies.sso.domainsHint", { company: company.name })}
            splitChars={[",", " ", ";"]}
            acceptValueOnBlur
            maxTags={50}
            placeholder={form.getValues().domains.length > 0 ? "" : t("companies.sso.domainsExample")}
            {...form.getInputProps("domains")}
          />
          <Switch
            label={t("companies.sso.enabled")}
            description={t("companies.sso.enabledHint")}
            {...form.getInputProps("enabled", { type: "checkbox" })}
          />
          <Switch
            label={t("companies.sso.enforced")}
            description={t(enforced ? "companies.sso.enforcedOn" : "companies.sso.enforcedHint")}
            {...form.getInputProps("enforced", { type: "checkbox" })}
          />
        </CompanyForm>
      </Section>
      {conflict.dialog}
    </>
  );
}
