import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, withAccount } from "#server/core/domains/tables.ts";
import { learnerRoutes } from "#server/learners/routes.ts";
import { personalData } from "#server/learners/personalData.ts";

export const learners = defineDomain({
  name: "learners",
  uses: ["courses", "enrolmentRules", "fields", "managers"],
  routes: [learnerRoutes],
  openTo: { learners: ["learners.get"] },
  tables: {
    users: { growth: rows(1, "learner"), kept: withAccount, authors: { invited_by: "People you invited" } },
    membership_history: {
      growth: rows(3, "learner"),
      kept: forGood,
      notPersonal: { "the endpoint that changed the membership": "reason" },
    },
  },
  personalData,
});
