import { randomUUID } from "node:crypto";
import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["player.commit"],
  fill: async ({ company }) => ({
    writes: { "player.launch": { id: company.id, body: { clientId: randomUUID() } } },
  }),
};
