import type { ParseKeys } from "i18next";
import type { ComponentType } from "react";
import { CallsTab } from "#web/connectors/CallsTab.tsx";
import { ApiKeysTab } from "#web/apiKeys/ApiKeysTab.tsx";
import { ConnectorsTab } from "#web/connectors/ConnectorsTab.tsx";
import { FlowsTab } from "#web/flows/FlowsTab.tsx";
import { WebhooksTab } from "#web/flows/WebhooksTab.tsx";

/** The tabs of the page in order; the first one is shown without `?tab=`. */
export const connectionTabs = [
  { key: "connectors", label: "connectors.tabs.connectors", Panel: ConnectorsTab },
  { key: "calls", label: "connectors.tabs.calls", Panel: CallsTab },
  { key: "flows", label: "flows.tab", Panel: FlowsTab },
  { key: "webhooks", label: "flows.webhooksTab", Panel: WebhooksTab },
  { key: "keys", label: "apiKeys.tab", Panel: ApiKeysTab },
] satisfies { key: string; label: ParseKeys; Panel: ComponentType }[];
