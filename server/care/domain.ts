import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { deleteOldAlerts } from "#server/care/alerts.ts";
import { careRoutes } from "#server/care/routes.ts";
import { personalData } from "#server/care/personalData.ts";

export const care = defineDomain({
  name: "care",
  uses: ["connectors"],
  routes: [careRoutes],
  jobs: [deleteOldAlerts],
  tables: {
    care_settings: {
      growth: rows(1, "company"),
      kept: untilRemoved,
      notPersonal: { "what learners read before they write": "purpose hours model" },
    },
    care_people: { growth: rows(2, "company"), kept: withAccount },
  },
  personalData,
});
