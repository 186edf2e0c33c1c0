import { SegmentedControl } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ApiKeysTab } from "#web/apiKeys/ApiKeysTab.tsx";
import { WebhooksTab } from "#web/flows/WebhooksTab.tsx";
import { RecordStoreTab } from "#web/statements/RecordStoreTab.tsx";
import { type IntegrationKind, integrationKinds } from "#web/core/menu/settingsTabs.ts";

const panels: Record<IntegrationKind, ComponentType<{ switcher: ReactNode }>> = {
  keys: ApiKeysTab,
  webhooks: WebhooksTab,
  records: RecordStoreTab,
};

/** API keys, with which other systems call this one, webhooks, which notify them, and keys of the record store. */
export function IntegrationsTab() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { key: current } = integrationKinds.find(({ key }) => key === params.get("kind")) ?? integrationKinds[0];
  const Panel = panels[current];
  return (
    <Panel
      key={current}
      switcher={
        <SegmentedControl
          aria-label={t("settings.integrations.kind")}
          value={current}
          onChange={(kind) => setParams({ tab: "integrations", kind }, { preventScrollReset: true })}
          data={integrationKinds.map(({ key, label }) => ({ value: key, label: t(label) }))}
        />
      }
    />
  );
}
