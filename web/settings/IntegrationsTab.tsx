import { SegmentedControl } from "@mantine/core";
import type { ParseKeys } from "i18next";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ApiKeysTab } from "#web/apiKeys/ApiKeysTab.tsx";
import { WebhooksTab } from "#web/flows/WebhooksTab.tsx";

const kinds = [
  { key: "keys", label: "apiKeys.tab", Panel: ApiKeysTab },
  { key: "webhooks", label: "flows.webhooksTab", Panel: WebhooksTab },
] as const satisfies { key: string; label: ParseKeys; Panel: ComponentType<{ switcher: ReactNode }> }[];

/** API keys, with which other systems call this one, and webhooks, which notify other systems. */
export function IntegrationsTab() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { key: current, Panel } = kinds.find(({ key }) => key === params.get("kind")) ?? kinds[0];
  return (
    <Panel
      key={current}
      switcher={
        <SegmentedControl
          aria-label={t("settings.integrations.kind")}
          value={current}
          onChange={(kind) => setParams({ tab: "integrations", kind }, { preventScrollReset: true })}
          data={kinds.map(({ key, label }) => ({ value: key, label: t(label) }))}
        />
      }
    />
  );
}
