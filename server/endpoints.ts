import type { Mount } from "#server/core/http/http.ts";
import * as domains from "#server/domains.ts";
import type { Job } from "#server/core/jobs.ts";
import type { Contract } from "#shared/core/route.ts";

type Listed = (typeof domains)[keyof typeof domains];
type Routes = NonNullable<Listed["routes"]>[number];
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** What the routes of single domains need besides the services. */
export type RouteTools = Intersection<NonNullable<Parameters<Routes>[1]>>;

export function mountAllRoutes(on: Mount, tools: RouteTools) {
  for (const { routes = [] } of Object.values(domains))
    for (const mountRoutes of routes) (mountRoutes as (on: Mount, tools: RouteTools) => void)(on, tools);
}

/** The contracts of all endpoints, domain by domain. Needs no services, because no handler is called. */
export function listContracts() {
  const contracts: Contract[] = [];
  mountAllRoutes((contract) => void contracts.push(contract), {} as RouteTools);
  return contracts;
}

export const allJobs: Job[] = Object.values(domains).flatMap(({ jobs = [] }) => jobs);
