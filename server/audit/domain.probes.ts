import { audit } from "#shared/audit/audit.ts";
import type { Probes } from "#test/probes.ts";

export const probes: Probes = { boundedPages: [audit.list.path] };
