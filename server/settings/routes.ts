import { readLastBackup } from "#server/core/http/health.ts";
import type { Mount } from "#server/core/http/http.ts";
import { removeAcademyLogo, setAcademyLogo } from "#server/settings/logo.ts";
import {
  listPolicies,
  publishPolicy,
  readAcademy,
  readPolicy,
  readSettings,
  updateSettings,
} from "#server/settings/service.ts";
import { academies, canChangeSettings, canManageSettings, canReadAcademy } from "#shared/settings/settings.ts";

export function settingsRoutes(on: Mount) {
  on(academies.read, canReadAcademy, (call) => readAcademy(call));
  on(academies.policy, canReadAcademy, (call) => readPolicy(call, call.query.version));
  on(academies.settings, canManageSettings, async (call) => ({
    ...(await readSettings(call.db)),
    lastBackup: await readLastBackup(call.db),
  }));
  on(academies.update, canChangeSettings, (call) => updateSettings(call, call.body));
  on(academies.setLogo, canChangeSettings, (call) => setAcademyLogo(call, call.body));
  on(academies.removeLogo, canChangeSettings, (call) => removeAcademyLogo(call, call.query.version));
  on(academies.policies, canManageSettings, (call) => listPolicies(call, call.query));
  on(academies.publishPolicy, canChangeSettings, (call) => publishPolicy(call, call.body));
}
