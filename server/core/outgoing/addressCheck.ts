import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#server/core/config.ts";
import { badField } from "#server/core/http/problem.ts";
import { checkResolvedUrl, isPrivateAddress, RefusedAddress } from "#server/core/outgoing/guardedFetch.ts";

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

/** Checks a server that is given by host and port. */
export async function checkHost(
  { privateHosts }: Pick<Config, "privateHosts">,
  path: string,
  { host, port }: { host: string; port: number },
) {
  const outcome = await Promise.race([
    isPrivateAddress(privateHosts, host, port),
    sleep(RESOLVE_MS, false, { ref: false }),
  ]);
  if (outcome) throw badField(path, REASONS.private);
}

const REASONS = {
  notHttps: "core.needsHttps",
  credentials: "core.addressWithCredentials",
  private: "core.privateAddress",
} as const satisfies Record<RefusedAddress["reason"], string>;
