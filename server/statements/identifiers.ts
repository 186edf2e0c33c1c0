import { createHash } from "node:crypto";
import type { Config } from "#server/core/config.ts";
import type { Actor, Agent } from "#shared/statements/xapi.ts";

/** The first half of the SHA-256 of a text as a UUID: the key of an agent, activity or verb in indexes. */
export function keyOf(text: string) {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
export const NO_KEY = "00000000-0000-0000-0000-000000000000";

const isText = (value: unknown) => typeof value === "string";

/** The identifier of an agent or group; null for an anonymous group, or for other objects, such as in extensions. */
export function identifierOf({ mbox, mbox_sha1sum: sum, openid, account }: Actor): string | null {
  if (isText(mbox)) return `mbox ${mbox.toLowerCase()}`;
  if (isText(sum)) return `sha1 ${sum.toLowerCase()}`;
  if (isText(openid)) return `openid ${openid}`;
  return isText(account?.homePage) && isText(account.name) ? `account ${account.homePage} ${account.name}` : null;
}

export function agentKeyOf(actor: Actor) {
  const identifier = identifierOf(actor);
  return identifier === null ? null : keyOf(identifier);
}

/** The agent by which the server names a learner. */
export const agentOf = ({ publicUrl }: Pick<Config, "publicUrl">, userId: string): Agent => ({
  objectType: "Agent",
  account: { homePage: publicUrl, name: userId },
});

/** The keys of a person: of the account here and, if given, of the verified email address. */
export function keysOfPerson(config: Pick<Config, "publicUrl">, userId: string, email: string | null) {
  const agents: Agent[] = [agentOf(config, userId)];
  if (email !== null) {
    const mbox = `mailto:${email.toLowerCase()}`;
    agents.push({ mbox }, { mbox_sha1sum: createHash("sha1").update(mbox).digest("hex") });
  }
  return agents.map((agent) => agentKeyOf(agent) as string);
}
