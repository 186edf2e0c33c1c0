import type { Mount } from "#server/core/http/http.ts";
import { listCalls } from "#server/provisioning/calls.ts";
import { decideHolds, listHolds } from "#server/provisioning/holds.ts";
import { createKey, revokeKey } from "#server/provisioning/keys.ts";
import { readSettings, updateSettings } from "#server/provisioning/settings.ts";
import {
  canManageProvisioning,
  canManageProvisioningKeys,
  canReadProvisioning,
  provisioning,
} from "#shared/provisioning/provisioning.ts";

export function provisioningRoutes(on: Mount) {
  on(provisioning.get, canReadProvisioning, (call) => readSettings(call, call.params.id));
  on(provisioning.update, canManageProvisioning, (call) => updateSettings(call, call.params.id, call.body));
  on(provisioning.createKey, canManageProvisioningKeys, (call) => createKey(call, call.params.id, call.body));
  on(provisioning.revokeKey, canManageProvisioningKeys, (call) => revokeKey(call, call.params.id));
  on(provisioning.calls, canReadProvisioning, (call) => listCalls(call, call.params.id, call.query));
  on(provisioning.holds, canReadProvisioning, (call) => listHolds(call, call.params.id, call.query));
  on(provisioning.decide, canManageProvisioning, (call) => decideHolds(call, call.params.id, call.body));
}
