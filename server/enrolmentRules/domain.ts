import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { followDays } from "#server/enrolmentRules/days.ts";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { deleteOldRuns, processRuns } from "#server/enrolmentRules/jobs.ts";
import { personalData } from "#server/enrolmentRules/personalData.ts";
import { enrolmentRuleRoutes } from "#server/enrolmentRules/routes.ts";

const twoDays = "two days";

export const enrolmentRules = defineDomain({
  name: "enrolmentRules",
  uses: ["courses", "groups"],
  routes: [enrolmentRuleRoutes],
  jobs: [followPeople, followDays, processRuns, deleteOldRuns],
  // A trigger has queued the completions; the job is ordered here, because commits do not order it.
  completions: {
    async after(_, tx) {
      await followPeople.enqueue(tx, {}, { key: "enrolmentRules:follow" });
    },
  },
  personalData,
  tables: {
    enrolment_rules: {
      growth: rows(5, "company"),
      kept: `${untilRemoved}; its name as long as the company, as a reason of enrolments`,
      authors: { updated_by: "Enrolment rules you last changed" },
      notPersonal: { "the rule": "name explanation condition due" },
    },
    enrolment_rule_courses: { growth: rows(10, "company"), kept: "as long as the rule" },
    enrolment_rule_uses: {
      growth: rows(10, "company"),
      kept: "as long as the rule",
      notPersonal: { "what a rule refers to": "kind target" },
    },
    enrolment_rule_exceptions: { growth: rows(0.5, "learner"), kept: "as long as the rule is met" },
    enrolment_rule_runs: {
      growth: rows(10, "company"),
      kept: twoDays,
      authors: { made_by: "Enrolment rules you switched on or changed" },
    },
    enrolment_rule_run_rows: { growth: rows(2, "learner"), kept: twoDays },
    enrolment_rule_days: { growth: rows(1, "company"), kept: "as long as the company" },
    enrolment_rule_changes: {
      growth: rows(20, "learner"),
      kept: "until a job has followed it, within seconds; after failures within hours",
      notPersonal: { "what has changed, without the value": "kind target" },
    },
  },
});
