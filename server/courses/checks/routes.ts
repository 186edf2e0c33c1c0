import type { Mount } from "#server/core/http/http.ts";
import { findSeen } from "#server/courses/checks/seen.ts";
import { checkAgain, getCheck } from "#server/courses/checks/service.ts";
import { canCheckPackages, packageChecks } from "#shared/courses/packageChecks.ts";

export function checkRoutes(on: Mount) {
  on(packageChecks.get, canCheckPackages, (call) => getCheck(call, call.params));
  on(packageChecks.again, canCheckPackages, (call) => checkAgain(call, call.params));
  on(packageChecks.seen, canCheckPackages, (call) => findSeen(call, call.params));
}
