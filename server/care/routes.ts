import { readCare, removeCare, setCare } from "#server/care/service.ts";
import type { Mount } from "#server/core/http/http.ts";
import { canManageCare, care } from "#shared/care/care.ts";

export function careRoutes(on: Mount) {
  on(care.get, canManageCare, (call) => readCare(call, call.params.id));
  on(care.set, canManageCare, (call) => setCare(call, call.params.id, call.body));
  on(care.remove, canManageCare, (call) => removeCare(call, call.params.id));
}
