import { pastCompletionRoutes } from "#server/completions/past/routes.ts";
import { completionRoutes } from "#server/completions/routes.ts";
import { personalData } from "#server/completions/personalData.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";

export const completions = defineDomain({
  name: "completions",
  uses: ["courses", "player", "lessons", "variables", "managers", "requirements"],
  routes: [completionRoutes, pastCompletionRoutes],
  openTo: { learners: ["completions.mine"], managers: ["completions.ofTeam"] },
  personalData,
  tables: {
    completion_decisions: {
      growth: rows(0.1, "learner"),
      kept: "until the person is erased",
      authors: {
        made_by: "Completions you set, took back or started over",
        undone_by: "Decisions about completions that you undid",
      },
    },
    external_completions: {
      growth: rows(2, "learner"),
      kept: "until the person is erased",
      authors: { created_by: "Completions from elsewhere that you imported or recorded" },
    },
  },
});
