import type { Services } from "#server/core/services.ts";
import { unseal } from "#server/core/secrets.ts";
import type { MailServerInput } from "#shared/mails/mailServer.ts";

// The mail server that sends emails. It is read for every email, so a change takes effect immediately on every node

type Reader = Pick<Services, "config" | "db">;
export type MailServer = Required<Omit<MailServerInput, "password">> & { password: string | null };
/** `url`: set by the operator, who may choose any address and encryption. */
export type MailRoute = { url: string; from: string } | { server: MailServer };

/** True if emails are sent; otherwise they stay in the outbox. */
export async function hasMailServer({ config, db }: Reader) {
  if (config.mailOff) return false;
  return (
    config.smtpUrl !== undefined || (await db.selectFrom("mailServer").select("id").executeTakeFirst()) !== undefined
  );
}

/**
 * Accounts that were claimed, or joined a company with restricted domains, must verify their address, unless the
 * operator has turned this off or no mail server can send the link.
 */
export const confirmsClaims = async (reader: Reader) =>
  reader.config.claimConfirmation && (await hasMailServer(reader));

/** How emails are sent now; null without a mail server. */
export async function findMailRoute({ config, db }: Reader): Promise<MailRoute | null> {
  if (config.mailOff) return null;
  if (config.smtpUrl) return { url: config.smtpUrl, from: config.mailFrom };
  const row = await db.selectFrom("mailServer").selectAll().executeTakeFirst();
  if (!row) return null;
  const { host, port, security, username, senderName } = row;
  return {
    server: {
      host,
      port,
      security,
      username,
      senderName,
      password: openPassword(config.secret, row),
      // Empty if the person with this address has been erased.
      senderAddress: row.senderAddress || addressOf(config.mailFrom),
    },
  };
}

/** The address of `Name <address>`. */
const addressOf = (sender: string) => /<([^>]+)>/.exec(sender)?.[1] ?? sender;

/** The address that emails come from. */
export async function readSenderAddress(reader: Reader) {
  const route = await findMailRoute(reader);
  if (route && "server" in route) return route.server.senderAddress;
  return addressOf(reader.config.mailFrom);
}

type Account = Pick<MailServerInput, "host" | "port" | "username">;
/** The password is encrypted for this account at this server; in another row it cannot be decrypted. */
export const PASSWORD_PURPOSE = "mail server";
export const boundTo = ({ host, port, username }: Account) => `${username} at ${host}:${port}`;

/** The stored password; null if there is none, or it was encrypted with another secret. */
export const openPassword = (secret: string, row: Account & { password: string | null }) =>
  row.password === null ? null : unseal(secret, PASSWORD_PURPOSE, row.password, boundTo(row));

/** The password of a route, which no text may contain. */
export function passwordOf(route: MailRoute) {
  if ("server" in route) return route.server.password;
  return decodeURIComponent(URL.parse(route.url)?.password ?? "") || null;
}
