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
      notExported: "deleted after two days; that the rule was changed is in the audit log and in the history",
      notPersonal: { "a completion rule and its state": "rule rule_before state" },
    },
    rule_change_rows: {
      growth: rows(0.1, "learner"),
      kept: twoDays,
      notPersonal: { "whether an enrolment is completed by a rule": "change tests" },
    },
  },
});
