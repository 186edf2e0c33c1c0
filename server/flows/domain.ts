import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { flowRoutes } from "#server/flows/routes.ts";
import { passStoredValues } from "#server/flows/worker.ts";

export const flows = defineDomain({
  name: "flows",
  uses: ["variables", "webhooks"],
  routes: [flowRoutes],
  jobs: [passStoredValues],
  tables: {
    flows: {
      growth: rows(1, "variable"),
      kept: untilRemoved,
      authors: { created_by: "Data flows you added" },
      notPersonal: { "transformation of values, without values of people": "transform" },
    },
    flow_backfills: {
      growth: rows(1, "variable"),
      kept: "as long as the flow",
      notPersonal: { "values of companies, without people": "removed" },
    },
    flow_cursor: { growth: rows(1, "installation"), kept: "for good" },
  },
});
