import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#server/core/config.ts";
import { badField } from "#server/core/http/problem.ts";
import { checkResolvedUrl, RefusedAddress } from "#server/core/outgoing/guardedFetch.ts";

/** How long a name may take to be resolved, in ms. */
const RESOLVE_MS = 3000;

/**
 * Throws 422 for an address that the guarded fetch would currently refuse. A name that cannot be resolved at the moment
 * is accepted, because every request checks it again.
 */
export async function checkAddress({ privateHosts }: Pick<Config, "privateHosts">, path: string, url: string) {
  const outcome = await Promise.race([
    checkResolvedUrl(privateHosts, new URL(url)).catch((error: unknown) => error),
    sleep(RESOLVE_MS, null, { ref: false }),
  ]);
  if (outcome instanceof RefusedAddress) throw badField(path, REASONS[outcome.reason]);
}

const REASONS = {
  notHttps: "core.needsHttps",
  credentials: "core.addressWithCredentials",
  private: "core.privateAddress",
} as const satisfies Record<RefusedAddress["reason"], string>;
