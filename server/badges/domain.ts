import { personalData } from "#server/badges/personalData.ts";
import { badgeRoutes } from "#server/badges/routes.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows } from "#server/core/domains/tables.ts";

const publicEndpoints = ["badges.issuer", "badges.status"];

export const badges = defineDomain({
  name: "badges",
  uses: ["certificates"],
  routes: [badgeRoutes],
  openTo: { guests: publicEndpoints, learners: ["badges.get", ...publicEndpoints] },
  personalData,
  tables: {
    badge_keys: {
      growth: rows(1, "installation"),
      kept: forGood,
      notPersonal: { "keys of the academy": "id public_key sealed_key" },
    },
    badge_lists: { growth: rows(1, "company"), kept: forGood },
    badges: { growth: rows(1, "learner"), kept: "for good, without the holder after their erasure" },
  },
});
