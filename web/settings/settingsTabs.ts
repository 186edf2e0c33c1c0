import type { ParseKeys } from "i18next";
import type { ComponentType } from "react";
import { AcademyTab } from "#web/settings/AcademyTab.tsx";
import { AdminsTab } from "#web/settings/admins/AdminsTab.tsx";
import { MailServerTab } from "#web/settings/mailServer/MailServerTab.tsx";
import { PolicyTab } from "#web/settings/PolicyTab.tsx";

/** The tabs of the settings, in order. `key`: in the URL. */
export const settingsTabs = [
  { key: "academy", label: "settings.academy", Panel: AcademyTab },
  { key: "admins", label: "settings.admins", Panel: AdminsTab },
  { key: "mail", label: "settings.mail", Panel: MailServerTab },
  { key: "policy", label: "settings.policy", Panel: PolicyTab },
] as const satisfies { key: string; label: ParseKeys; Panel: ComponentType }[];
