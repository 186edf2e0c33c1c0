import type { ParseKeys } from "i18next";
import { canReadKeys } from "#shared/apiKeys/apiKeys.ts";
import { canSeeAdmins } from "#shared/auth/admins.ts";
import type { Policy } from "#shared/core/users.ts";
import { canReadMailServer } from "#shared/mails/mailServer.ts";
import { canManageSettings } from "#shared/settings/settings.ts";

// Without their contents, so that the search lists them without loading them

/** The tabs of the settings, in order, each for those who may call its endpoints. `key`: in the URL. */
export const settingsTabs = [
  { key: "academy", label: "settings.academy", isFor: canManageSettings },
  { key: "admins", label: "settings.admins", isFor: canSeeAdmins },
  { key: "mail", label: "settings.mail", isFor: canReadMailServer },
  { key: "integrations", label: "settings.integrations.tab", isFor: canReadKeys },
  { key: "care", label: "care.title", isFor: canManageSettings },
  { key: "policy", label: "settings.policy", isFor: canManageSettings },
] as const satisfies { key: string; label: ParseKeys; isFor: Policy }[];
export type SettingsTab = (typeof settingsTabs)[number]["key"];

/** The parts of the tab of integrations. */
export const integrationKinds = [
  { key: "keys", label: "apiKeys.tab" },
  { key: "webhooks", label: "flows.webhooksTab" },
  { key: "records", label: "statements.tab" },
] as const satisfies { key: string; label: ParseKeys }[];
export type IntegrationKind = (typeof integrationKinds)[number]["key"];
