import type { Mount } from "#server/core/http/http.ts";
import { readToday } from "#server/today/service.ts";
import { canReadToday, todays } from "#shared/today/today.ts";

export function todayRoutes(on: Mount) {
  on(todays.read, canReadToday, (call) => readToday(call));
}
