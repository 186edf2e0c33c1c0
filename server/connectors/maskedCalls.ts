import { sql } from "kysely";
import type { GatewayCall, GatewayContext } from "#server/connectors/calls.ts";
import { createMask, type Mask } from "#server/connectors/masking.ts";
import { sign } from "#server/core/secrets.ts";

type Masked = Pick<GatewayCall, "companyId" | "userId" | "conversationId"> & { purpose: GatewayCall["purpose"] };

/**
 * The mask of a call; null if its company does not ask for one. An analysis without a company reads conversations of all of them: the
 * people of every company that asks for it are masked.
 */
export async function readMask(
  { db, config }: Pick<GatewayContext, "db" | "config">,
  { companyId, userId, conversationId, purpose }: Masked,
): Promise<Mask | null> {
  const isOfAll = companyId === null && purpose === "analysis";
  if (companyId === null && !isOfAll) return null;
  const { rows } = await sql<{ names: string[]; ownName: string | null }>`
    select array(select name from users where users.company_id = companies.id) as names,
      (select name from users where id = ${userId ?? null}::uuid) as own_name
    from companies where mask_names and (id = ${companyId}::uuid or ${isOfAll})`.execute(db);
  const [first] = rows;
  if (!first) return null;
  const seed = sign(config.secret, `names for providers ${conversationId ?? companyId ?? "academy"}`);
  return createMask({ names: rows.flatMap(({ names }) => names), ownName: first.ownName, seed });
}
