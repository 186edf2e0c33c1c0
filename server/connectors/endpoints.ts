import type { ConnectorRow } from "#server/connectors/candidates.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Endpoint } from "#server/connectors/protocols/protocol.ts";
import type { Config } from "#server/core/config.ts";
import { seal, unseal } from "#server/core/secrets.ts";

const PURPOSE = "connector-key";
/** Encrypts a key for storage, bound to this connector. */
export const sealKey = (config: Config, connectorId: string, key: string) =>
  seal(config.secret, PURPOSE, key, connectorId);

/**
 * The address and key of a connector. Throws `no_key` if the stored key cannot be decrypted, as after a copy to another
 * row or server.
 */
export function endpointOf(config: Config, { id, kind, baseUrl, apiKey }: ConnectorRow): Endpoint {
  const key = apiKey && unseal(config.secret, PURPOSE, apiKey, id);
  if (apiKey && !key) throw new GatewayError("no_key");
  return { kind, baseUrl, key };
}
