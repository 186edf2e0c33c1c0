import type { ParseKeys } from "i18next";
import type { ComponentType } from "react";
import { CallsTab } from "#web/connectors/CallsTab.tsx";
import { ConnectorsTab } from "#web/connectors/ConnectorsTab.tsx";
import { FlowsTab } from "#web/flows/FlowsTab.tsx";

/** The tabs of the page in order; the first one is shown without `?tab=`. */
export const connectionTabs = [
  { key: "connectors", label: "connectors.tabs.connectors", Panel: ConnectorsTab },
  { key: "calls", label: "connectors.tabs.calls", Panel: CallsTab },
  { key: "flows", label: "flows.tab", Panel: FlowsTab },
] satisfies { key: string; label: ParseKeys; Panel: ComponentType }[];

/** The new addresses of tabs that were on this page; bookmarks, old emails and notifications have the old ones. */
export const movedTabs: Record<string, string> = {
  webhooks: "/admin/settings?tab=integrations&kind=webhooks",
  keys: "/admin/settings?tab=integrations&kind=keys",
};
