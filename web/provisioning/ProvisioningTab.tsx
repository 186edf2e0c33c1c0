import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { DirectoryCalls } from "#web/provisioning/DirectoryCalls.tsx";
import { DirectoryKeys } from "#web/provisioning/DirectoryKeys.tsx";
import { DirectoryRules } from "#web/provisioning/DirectoryRules.tsx";
import classes from "#web/provisioning/provisioning.module.css";
import { WaitingPeople } from "#web/provisioning/WaitingPeople.tsx";
import { provisioning } from "#shared/provisioning/provisioning.ts";

const steps = ["key", "entra", "okta", "match"] as const;

/** How a directory maintains the people and groups of a company by SCIM. */
export function ProvisioningTab({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(provisioning.get, { params: { id: companyId } }));
  const { address, people, groups, keys, waiting } = data;
  const isNew = people + groups === 0;
  return (
    <>
      {waiting > 0 && <WaitingPeople companyId={companyId} count={waiting} />}
      <Section title={t("companies.tabs.provisioning")}>
        <p className={classes.lead}>
          {t("provisioning.intro")}{" "}
          {isNew
            ? t("provisioning.stateNone")
            : t("provisioning.state", {
                people: t("provisioning.statePeople", { count: people }),
                groups: t("provisioning.stateGroups", { count: groups }),
              })}
        </p>
        <CopyField label={t("provisioning.address")} text={address} hint={t("provisioning.addressHint")} />
        <details open={keys.length === 0}>
          <summary className={classes.summary}>{t("provisioning.setUp")}</summary>
          <ul className={classes.steps}>
            {steps.map((step) => (
              <li key={step}>{t(`provisioning.steps.${step}`)}</li>
            ))}
          </ul>
        </details>
      </Section>
      <DirectoryKeys companyId={companyId} keys={keys} />
      <DirectoryRules companyId={companyId} settings={data} />
      {keys.length > 0 && <DirectoryCalls companyId={companyId} />}
    </>
  );
}
