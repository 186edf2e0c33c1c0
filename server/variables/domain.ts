import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { erasePersonValues } from "#server/variables/erasure.ts";
import { foldStoredValues } from "#server/variables/jobs.ts";
import { variableRoutes } from "#server/variables/routes.ts";
import { personalData } from "#server/variables/personalData.ts";

const withVariable = "as long as the variable";

export const variables = defineDomain({
  name: "variables",
  routes: [variableRoutes],
  jobs: [foldStoredValues],
  erasure: { within: (tx, { id }) => erasePersonValues(tx, id) },
  tables: {
    variables: {
      growth: rows(1, "variable"),
      kept: untilRemoved,
      authors: { updated_by: "Variables you last changed" },
      notPersonal: {
        "the definition": "key label description type unit constraints scope write_mode default_value",
        "settings of the definition": "privacy status",
      },
    },
    variable_courses: {
      growth: rows(2, "variable"),
      kept: withVariable,
      notPersonal: { "how a course knows the variable": "key access path" },
    },
    variable_values: {
      growth: rows(100, "learner"),
      kept: `${withAccount}, or as many days as the variable says`,
      authors: { actor_id: "Values of variables that you corrected" },
    },
    variable_current: {
      growth: rows(20, "learner"),
      kept: "as long as its values",
      notExported: "follows from the values, which are exported",
    },
    variable_deletions: {
      growth: rows(0.1, "course"),
      kept: "as long as it can be undone",
      authors: {
        deleted_by: "Deletions of course variables that you made",
        restored_by: "Deletions of course variables that you undid",
      },
      notPersonal: {
        "which variables": "variable_ids",
        "removed with the values (server/variables/erasure.ts)": "user_ids",
      },
    },
    variable_tallies: {
      growth: rows(10, "variable"),
      kept: withVariable,
      notPersonal: { "how often a value occurs, without people": "label" },
    },
    variable_totals: { growth: rows(10, "variable"), kept: withVariable },
    variable_checkpoints: {
      growth: rows(1, "variable"),
      kept: withVariable,
      notPersonal: { "the value of a company, without people": "folded" },
    },
    variable_fold: { growth: rows(1, "installation"), kept: "for good" },
  },
  personalData,
});
