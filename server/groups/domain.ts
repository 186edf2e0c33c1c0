import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { followChanges, followDays } from "#server/groups/follow.ts";
import { personalData } from "#server/groups/personalData.ts";
import { groupRoutes } from "#server/groups/routes.ts";

export const groups = defineDomain({
  name: "groups",
  routes: [groupRoutes],
  jobs: [followChanges, followDays],
  // A trigger has queued who has completed what; commits do not order the job themselves.
  completions: {
    async after(_, tx) {
      await followChanges.enqueue(tx, {}, { key: "groups:follow" });
    },
  },
  personalData,
  tables: {
    groups: {
      growth: rows(10, "company"),
      kept: `${untilRemoved}; its name as long as the company, for reports about it`,
      authors: { updated_by: "Groups you last changed" },
      notPersonal: { "the definition": "name description rule external_id" },
    },
    group_rule_uses: {
      growth: rows(20, "company"),
      kept: "as long as the rule",
      notPersonal: { "what a rule refers to": "kind target choice" },
    },
    group_overrides: {
      growth: rows(0.2, "learner"),
      kept: `${withAccount}, or until its last day`,
      authors: { created_by: "People you put into groups or keep out of them" },
    },
    group_provided_members: { growth: rows(5, "learner"), kept: `${withAccount}, or until the directory removes it` },
    group_members: {
      growth: rows(6, "learner"),
      kept: forGood,
      notPersonal: { "why a person was in a group": "why" },
    },
    group_changes: {
      growth: rows(20, "learner"),
      kept: "until a job has followed it, within seconds",
      notPersonal: { "what has changed, without the value": "kind target" },
    },
  },
});
