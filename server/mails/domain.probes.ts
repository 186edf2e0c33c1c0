import type { Probes } from "#test/probes.ts";

export const probes: Probes = { fill: async () => ({ writes: { "mails.retry": { body: {} } } }) };
