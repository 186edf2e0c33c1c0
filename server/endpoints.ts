import * as allRoutes from "#server/allRoutes.ts";
import type { Mount } from "#server/core/http/http.ts";
import type { Contract } from "#shared/core/route.ts";

/** What the routes of some domains need besides the services. */
type RouteTools = Parameters<typeof allRoutes.authRoutes>[1] & Parameters<typeof allRoutes.playerRoutes>[1];

export function mountAllRoutes(on: Mount, tools: RouteTools) {
  for (const mountRoutes of Object.values(allRoutes)) mountRoutes(on, tools);
}

/** The contracts of all endpoints, domain by domain. Needs no services, because no handler is called. */
export function listContracts() {
  const contracts: Contract[] = [];
  mountAllRoutes((contract) => void contracts.push(contract), {} as RouteTools);
  return contracts;
}
