import { deleteOldChanges, processRuleChanges } from "#server/completionRules/jobs.ts";
import { completionRuleRoutes } from "#server/completionRules/routes.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";

const twoDays = "two days";

export const completionRules = defineDomain({
  name: "completionRules",
  uses: ["courses", "player"],
  routes: [completionRuleRoutes],
  jobs: [processRuleChanges, deleteOldChanges],
  tables: {
    rule_changes: {
      growth: rows(3, "course"),
      kept: twoDays,
      authors: { made_by: "Completion rules of courses you tried or applied" },
      notPersonal: { "a completion rule and its state": "rule rule_before state met" },
    },
    rule_change_rows: {
      growth: rows(0.1, "learner"),
      kept: twoDays,
      notPersonal: { "whether an enrolment is completed by a rule": "change tests completed_before" },
    },
  },
});
