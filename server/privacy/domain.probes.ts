import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  fill: async ({ learner }) => ({ writes: { "privacy.erase": { body: { userId: learner.user.id } } } }),
};
