import type { ParseKeys } from "i18next";
import type { ComponentType } from "react";
import { CallsTab } from "#web/connectors/CallsTab.tsx";
import { ConnectorsTab } from "#web/connectors/ConnectorsTab.tsx";

/** The tabs of the page in order; the first one is shown without `?tab=`. */
export const connectionTabs = [
  { key: "connectors", label: "connectors.tabs.connectors", Panel: ConnectorsTab },
  { key: "calls", label: "connectors.tabs.calls", Panel: CallsTab },
] satisfies { key: string; label: ParseKeys; Panel: ComponentType }[];
