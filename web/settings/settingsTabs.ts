import type { ParseKeys } from "i18next";
import type { ComponentType } from "react";
import { VisitorCareTab } from "#web/care/VisitorCareTab.tsx";
import { AcademyTab } from "#web/settings/AcademyTab.tsx";
import { AdminsTab } from "#web/settings/admins/AdminsTab.tsx";
import { IntegrationsTab } from "#web/settings/IntegrationsTab.tsx";
import { MailServerTab } from "#web/settings/mailServer/MailServerTab.tsx";
import { PolicyTab } from "#web/settings/PolicyTab.tsx";
import { canReadKeys } from "#shared/apiKeys/apiKeys.ts";
import { canSeeAdmins } from "#shared/auth/admins.ts";
import type { Policy } from "#shared/core/users.ts";
import { canReadMailServer } from "#shared/mails/mailServer.ts";
import { canManageSettings } from "#shared/settings/settings.ts";

/** The tabs of the settings, in order, each for those who may call its endpoints. `key`: in the URL. */
export const settingsTabs = [
  { key: "academy", label: "settings.academy", Panel: AcademyTab, isFor: canManageSettings },
  { key: "admins", label: "settings.admins", Panel: AdminsTab, isFor: canSeeAdmins },
  { key: "mail", label: "settings.mail", Panel: MailServerTab, isFor: canReadMailServer },
  { key: "integrations", label: "settings.integrations.tab", Panel: IntegrationsTab, isFor: canReadKeys },
  { key: "care", label: "care.title", Panel: VisitorCareTab, isFor: canManageSettings },
  { key: "policy", label: "settings.policy", Panel: PolicyTab, isFor: canManageSettings },
] as const satisfies { key: string; label: ParseKeys; Panel: ComponentType; isFor: Policy }[];
