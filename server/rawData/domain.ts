import { defineDomain } from "#server/core/domains/domain.ts";
import { removeOldValues } from "#server/rawData/jobs.ts";
import { rawDataRoutes } from "#server/rawData/routes.ts";

export const rawData = defineDomain({
  name: "rawData",
  uses: ["variables"],
  routes: [rawDataRoutes],
  jobs: [removeOldValues],
  openTo: { learners: ["rawData.correctMine", "rawData.mine"] },
});
