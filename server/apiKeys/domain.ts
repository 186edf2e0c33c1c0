import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { apiKeyRoutes } from "#server/apiKeys/routes.ts";
import { personalData } from "#server/apiKeys/personalData.ts";

export const apiKeys = defineDomain({
  name: "apiKeys",
  routes: [apiKeyRoutes],
  tables: { api_keys: { growth: rows(1, "company"), kept: withAccount } },
  personalData,
});
