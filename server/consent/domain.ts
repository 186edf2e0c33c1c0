import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { consentRoutes } from "#server/consent/routes.ts";
import { personalData } from "#server/consent/personalData.ts";

export const consent = defineDomain({
  name: "consent",
  uses: ["recordings"],
  routes: [consentRoutes],
  openTo: { learners: ["consents.record", "consents.list"] },
  tables: {
    consent_records: {
      growth: rows(2, "learner"),
      kept: "while valid, and three more years",
      notPersonal: { "the decision itself": "kind preferences" },
    },
  },
  personalData,
});
