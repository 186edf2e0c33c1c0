import { sql } from "kysely";
import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  companyRows: { ai_budgets: (companyId) => sql`t.owner_id = ${companyId}` },
  withoutCompany: ["create", "update", "setStatus", "test", "remove", "setSpending"].map(
    (name) => `connectors.${name}`,
  ),
  fill: async ({ company }) => ({
    writes: { "connectors.setCompanyBudget": { body: { companyId: company.id, monthlyBudget: 1 } } },
  }),
};
