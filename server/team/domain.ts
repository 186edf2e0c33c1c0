import { defineDomain } from "#server/core/domains/domain.ts";
import { teamRoutes } from "#server/team/routes.ts";
import { team as contracts } from "#shared/team/team.ts";

export const team = defineDomain({
  name: "team",
  uses: ["managers", "courses", "certificates", "requirements"],
  routes: [teamRoutes],
  openTo: { managers: Object.keys(contracts).map((name) => `team.${name}`) },
});
