import type { Mount } from "#server/core/http/http.ts";
import { searchEverything } from "#server/search/service.ts";
import { canSearch, search } from "#shared/search/search.ts";

export function searchRoutes(on: Mount) {
  on(search.find, canSearch, (call) => searchEverything(call, call.query.q));
}
