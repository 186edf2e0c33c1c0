import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { checkRequirements, followRequirements } from "#server/requirements/follow.ts";
import { personalData } from "#server/requirements/personalData.ts";
import { requirementRoutes } from "#server/requirements/routes.ts";

export const requirements = defineDomain({
  name: "requirements",
  uses: ["courses", "managers"],
  routes: [requirementRoutes],
  openTo: { managers: ["requirements.teamList", "requirements.team", "requirements.exportTeam"] },
  jobs: [followRequirements, checkRequirements],
  personalData,
  tables: {
    course_requirements: {
      growth: rows(5, "company"),
      kept: untilRemoved,
      authors: { updated_by: "Requirements you last changed" },
      notPersonal: { "what the end is counted from": "counts_from" },
    },
    requirements: {
      growth: rows(3, "learner"),
      kept: withAccount,
      authors: { opened_by: "Courses you opened again for others" },
    },
    enrolment_cycles: {
      growth: rows(3, "learner"),
      kept: withAccount,
    },
    requirement_exemptions: {
      growth: rows(1, "learner"),
      kept: withAccount,
      authors: { created_by: "Exemptions that you gave", ended_by: "Exemptions that you ended" },
    },
    requirement_history: { growth: rows(6, "learner"), kept: forGood },
    course_requirement_history: {
      growth: rows(10, "company"),
      kept: forGood,
      notPersonal: { "terms and how they changed": "counts_from reason" },
    },
  },
});
