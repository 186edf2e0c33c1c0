import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { personalData } from "#server/fields/personalData.ts";
import { fieldRoutes } from "#server/fields/routes.ts";

export const fields = defineDomain({
  name: "fields",
  routes: [fieldRoutes],
  openTo: { learners: ["fields.ofPerson"] },
  personalData,
  tables: {
    fields: {
      growth: rows(2, "company"),
      kept: "until an admin removes it, or as long as the company",
      authors: { updated_by: "Fields you last changed" },
      notPersonal: { "the definition": "key name kind choices visible_to" },
    },
    field_values: { growth: rows(4, "learner"), kept: withAccount },
    field_value_history: {
      growth: rows(6, "learner"),
      kept: "for good; the values until the person is erased",
      notPersonal: { "the endpoint that changed the value": "reason", "removed with the person": "value" },
    },
  },
});
