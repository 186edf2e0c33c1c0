import type { ComponentType } from "react";
import { VisitorCareTab } from "#web/care/VisitorCareTab.tsx";
import { AcademyTab } from "#web/settings/AcademyTab.tsx";
import { AdminsTab } from "#web/settings/admins/AdminsTab.tsx";
import { IntegrationsTab } from "#web/settings/IntegrationsTab.tsx";
import { MailServerTab } from "#web/settings/mailServer/MailServerTab.tsx";
import { PolicyTab } from "#web/settings/PolicyTab.tsx";
import type { SettingsTab } from "#web/core/menu/settingsTabs.ts";

export const settingsPanels: Record<SettingsTab, ComponentType> = {
  academy: AcademyTab,
  admins: AdminsTab,
  mail: MailServerTab,
  integrations: IntegrationsTab,
  care: VisitorCareTab,
  policy: PolicyTab,
};
