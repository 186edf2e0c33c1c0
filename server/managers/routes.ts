import type { Mount } from "#server/core/http/http.ts";
import {
  addDeputy,
  allowManagers,
  giveRight,
  listManagers,
  removeDeputy,
  takeRight,
} from "#server/managers/service.ts";
import { canSetManagers, managers } from "#shared/managers/managers.ts";

export function managerRoutes(on: Mount) {
  on(managers.list, canSetManagers, (call) => listManagers(call, call.params.id, call.query));
  on(managers.allow, canSetManagers, (call) => allowManagers(call, call.params.id, call.body));
  on(managers.addDeputy, canSetManagers, (call) => addDeputy(call, call.params.id, call.body));
  on(managers.removeDeputy, canSetManagers, (call) => removeDeputy(call, call.params.id));
  on(managers.give, canSetManagers, (call) => giveRight(call, call.params.id, call.body));
  on(managers.take, canSetManagers, (call) => takeRight(call, call.params.id));
}
