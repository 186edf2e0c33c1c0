import { checkCatalogue, deleteOldNotices, followCatalogue, tellCatalogue } from "#server/catalogue/follow.ts";
import { personalData } from "#server/catalogue/personalData.ts";
import { catalogueRoutes } from "#server/catalogue/routes.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";

export const catalogue = defineDomain({
  name: "catalogue",
  uses: ["courses", "managers", "notifications"],
  routes: [catalogueRoutes],
  jobs: [followCatalogue, tellCatalogue, checkCatalogue, deleteOldNotices],
  openTo: {
    learners: ["catalogue.browse", "catalogue.get", "catalogue.join", "catalogue.withdraw", "catalogue.leave"],
    managers: ["catalogue.teamRequests", "catalogue.decideForTeam"],
  },
  personalData,
  tables: {
    catalogue_offers: {
      growth: rows(20, "company"),
      kept: "for good: what was taken out is only marked",
      authors: { updated_by: "Offers of the catalogue you last changed" },
      notPersonal: { "the terms of the offer": "way currency cost_centre languages" },
    },
    catalogue_prerequisites: { growth: rows(10, "company"), kept: untilRemoved },
    catalogue_requests: {
      growth: rows(3, "learner"),
      kept: withAccount,
      authors: {
        decided_by: "Requests for courses that you answered",
        told_to: "Requests for courses that you were told of",
      },
    },
    catalogue_notices: {
      growth: rows(3, "learner"),
      kept: "two days",
      notExported: "only the time of an email that is exported with the others",
    },
    catalogue_changes: {
      growth: rows(20, "learner"),
      kept: "until a job has followed it, within seconds",
    },
  },
});
