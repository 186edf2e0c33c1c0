import { useTranslation } from "react-i18next";
import { Time } from "#web/core/display/Time.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import classes from "#web/provisioning/provisioning.module.css";
import { callOutcome, provisioning, type ProvisioningCall } from "#shared/provisioning/provisioning.ts";

/** What the directory has asked for, and what became of it. */
export function DirectoryCalls({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const resultOf = ({ status, result }: ProvisioningCall) => {
    const outcome = callOutcome.safeParse(result);
    const text = outcome.success ? t(`provisioning.outcomes.${outcome.data}`) : result;
    return status < 400 ? text : <span className={classes.refused}>{`${status}: ${text}`}</span>;
  };
  const callText = ({ method, resource }: ProvisioningCall) => `${method} ${resource}`;
  const keyOf = ({ key }: ProvisioningCall) => (
    <span className={classes.key} title={key ?? undefined}>
      {key ?? "–"}
    </span>
  );
  const aboutOf = ({ person, group }: ProvisioningCall) => person ?? group ?? "–";
  return (
    <Section title={t("provisioning.calls")}>
      <DataTable
        list={provisioning.calls}
        params={{ id: companyId }}
        prefix="c."
        noun={t("provisioning.callNoun")}
        filters={[
          {
            key: "result",
            label: t("provisioning.show"),
            options: [{ value: "refused", label: t("provisioning.onlyRefused") }],
          },
        ]}
        rowKey={(row) => String(row.id)}
        name={callText}
        columns={[
          { key: "call", head: t("provisioning.call"), render: (row) => <code>{callText(row)}</code> },
          { key: "at", head: t("provisioning.callAt"), render: (row) => <Time at={row.at} /> },
          { key: "about", head: t("provisioning.about"), render: aboutOf },
          { key: "result", head: t("provisioning.result"), render: resultOf },
          { key: "key", head: t("provisioning.key"), minor: true, render: keyOf },
        ]}
        phone={(row) => ({ line: resultOf(row), side: <Time at={row.at} />, sideLine: aboutOf(row) })}
        empty={{ title: t("provisioning.noCalls"), text: t("provisioning.noCallsText") }}
      />
    </Section>
  );
}
