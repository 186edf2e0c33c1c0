import type { Mount } from "#server/core/http/http.ts";
import { createKey, listKeys, revokeKey } from "#server/apiKeys/service.ts";
import { apiKeys, canManageKeys, canReadKeys } from "#shared/apiKeys/apiKeys.ts";

export function apiKeyRoutes(on: Mount) {
  on(apiKeys.list, canReadKeys, (call) => listKeys(call, call.query));
  on(apiKeys.create, canManageKeys, (call) => createKey(call, call.body));
  on(apiKeys.revoke, canManageKeys, (call) => revokeKey(call, call.params.id));
}
