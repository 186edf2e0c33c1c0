import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  // Of the people whom the caller leads; server/managers/scope.test.ts and test/companyCrawl.test.ts try others.
  withoutCompany: ["team.*"],
};
