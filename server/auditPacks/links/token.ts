import type { Config } from "#server/core/config.ts";
import { isSame, sign } from "#server/core/secrets.ts";

// The link of an auditor: its id and a signature, so that no secret is stored

const tokenOf = ({ secret }: Pick<Config, "secret">, id: string) => `${id}.${sign(secret, `audit link ${id}`)}`;

/** The page that an auditor opens. */
export const linkOf = (config: Pick<Config, "secret" | "publicUrl">, id: string) =>
  `${config.publicUrl}/audits/${tokenOf(config, id)}`;

/** The id of the link that a token was made for; null for anything else. */
export function idOf(config: Pick<Config, "secret">, token: string): string | null {
  const [, id] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{22}$/.exec(token) ?? [];
  return id && isSame(token, tokenOf(config, id)) ? id : null;
}
