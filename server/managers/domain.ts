import { sql } from "kysely";
import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, withAccount } from "#server/core/domains/tables.ts";
import { personalData } from "#server/managers/personalData.ts";
import { managerRoutes } from "#server/managers/routes.ts";

export const managers = defineDomain({
  name: "managers",
  routes: [managerRoutes],
  personalData,
  erasure: {
    // Before the rows go, so that the people pass to the next manager above.
    within: async (tx, { id }) => {
      await sql`select pass_on_people(${id})`.execute(tx);
    },
  },
  tables: {
    managers: { growth: rows(1, "learner"), kept: withAccount },
    manager_deputies: {
      growth: rows(1, "company"),
      kept: withAccount,
      authors: { created_by: "Deputies of managers you chose" },
    },
    given_rights: {
      growth: rows(1, "company"),
      kept: withAccount,
      authors: { given_by: "Rights you gave to managers" },
      notPersonal: { "the kind of right": "kind" },
    },
    manager_history: {
      growth: rows(1, "learner"),
      kept: forGood,
      notPersonal: { "the endpoint that changed it": "reason" },
    },
  },
});
