import { defineDomain } from "#server/core/domains/domain.ts";
import { liveRoutes } from "#server/live/routes.ts";

export const live = defineDomain({
  name: "live",
  routes: [liveRoutes],
  openTo: { learners: ["live.stream"] },
});
