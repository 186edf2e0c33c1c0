import { sql } from "kysely";
import type { GatewayCall, GatewayContext } from "#server/connectors/gatewayCall.ts";
import { createMask, type Mask } from "#server/connectors/masking.ts";
import { readNames } from "#server/connectors/nameCache.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { sign } from "#server/core/secrets.ts";

type Context = Pick<GatewayContext, "db" | "log" | "config" | "accessChanges">;
type Masked = Pick<GatewayCall, "companyId" | "userId" | "speakerId" | "conversationId"> & {
  purpose: GatewayCall["purpose"];
};

/**
 * The mask of a call; null if its company does not require masking. An analysis without a company reads conversations
 * of all companies, so the people of every company that requires it are masked.
 */
export async function readMask(
  ctx: Context,
  { companyId, userId, speakerId, conversationId, purpose }: Masked,
): Promise<Mask | null> {
  const isOfAll = companyId === null && purpose === "analysis";
  if (companyId === null && !isOfAll) return null;
  return readMaskOf(ctx, companyId === null ? "all" : [companyId], {
    userId: speakerId ?? userId ?? null,
    seed: `${conversationId ?? companyId ?? "academy"}`,
  });
}

/**
 * The mask of texts for embedding: masks the people of those companies that require it. Null if none does; with
 * `hidesContacts`, email addresses and phone numbers are still masked if any company of the academy requires it.
 * Placeholders are the same in every call, because a question is compared with passages that may be for several
 * companies.
 */
export async function readVectorMask(ctx: Context, companyIds: string[], hidesContacts: boolean): Promise<Mask | null> {
  const mask = await readMaskOf(ctx, companyIds, VECTORS);
  if (mask || !hidesContacts) return mask;
  const asking = await ctx.db.selectFrom("companies").where("maskNames", "=", true).select("id").executeTakeFirst();
  return asking ? createMask({ names: [], ownName: null, seed: seedOf(ctx, VECTORS.seed) }) : null;
}
const VECTORS = { userId: null, seed: "vectors" };
const seedOf = ({ config }: Context, seed: string) => sign(config.secret, `names for providers ${seed}`);

async function readMaskOf(
  ctx: Context,
  companyIds: string[] | "all",
  { userId, seed }: { userId: string | null; seed: string },
): Promise<Mask | null> {
  if (companyIds.length === 0) return null;
  const { rows } = await sql<{ id: string; ownName: string | null }>`
    select id, (select name from users where id = ${userId}::uuid) as own_name
    from companies
    where mask_names
      and ${companyIds === "all" ? sql`true` : isOneOf("id", companyIds)}`.execute(ctx.db);
  const [first] = rows;
  if (!first) return null;
  const names = await readNames(
    ctx,
    rows.map(({ id }) => id),
  );
  return createMask({ names: [names], ownName: first.ownName, seed: seedOf(ctx, seed) });
}
