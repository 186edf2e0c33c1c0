import { defineDomain } from "#server/core/domains/domain.ts";
import { todayRoutes } from "#server/today/routes.ts";

export const today = defineDomain({
  name: "today",
  uses: ["catalogue", "courses", "outlook", "paths", "transcripts"],
  routes: [todayRoutes],
  openTo: { learners: ["today.read"] },
});
