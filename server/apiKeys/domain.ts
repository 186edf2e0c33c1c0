import { defineDomain } from "#server/core/domains/domain.ts";
import { contract, ownedBy, SAME_PERSON, SECRET, untilErased } from "#server/core/domains/personalData.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { apiKeyRoutes } from "#server/apiKeys/routes.ts";

export const apiKeys = defineDomain({
  name: "apiKeys",
  routes: [apiKeyRoutes],
  tables: { api_keys: { growth: rows(1, "company"), kept: withAccount } },
  personalData: {
    entries: [
      {
        key: "apiKeys",
        table: "api_keys",
        what: "API keys you created",
        fate: "delete",
        why: "They act for your account",
        where: ownedBy("created_by"),
      },
    ],
    sections: [
      {
        key: "apiKeys",
        purpose: "Access of other systems",
        basis: contract,
        retention: untilErased,
        table: "api_keys",
        omit: { created_by: SAME_PERSON, key_hash: SECRET },
        keys: ["id"],
        where: ownedBy("created_by"),
      },
    ],
  },
});
