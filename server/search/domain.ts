import { defineDomain } from "#server/core/domains/domain.ts";
import { searchRoutes } from "#server/search/routes.ts";

export const search = defineDomain({
  name: "search",
  uses: ["courses", "events", "learners", "chatbots", "documents"],
  routes: [searchRoutes],
  openTo: { learners: ["search.find"] },
});
