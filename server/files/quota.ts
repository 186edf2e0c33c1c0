import { sql } from "kysely";
import type { Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { User } from "#shared/users.ts";

/** Uploads of one person that may be under way at once. */
const UPLOADS = 40;
/** What a learner may have in the store, in bytes: a portrait, and those before it whose bytes are not swept yet. */
const LEARNER_BYTES = 50 * 1024 ** 2;

/**
 * Makes sure that `bytes` more fit, in total and for the company; what other uploads have announced counts as taken. To be
 * called in the transaction that announces: one at a time decides. Throws 402 `files.quota`.
 */
export async function reserveBytes(
  tx: Tx,
  { config }: Pick<Services, "config">,
  { user, companyId, bytes }: { user: Pick<User, "id" | "role">; companyId: string | null; bytes: number },
) {
  await sql`select pg_advisory_xact_lock(hashtext('file quota'))`.execute(tx);
  const {
    rows: [used],
  } = await sql<{ total: number; company: number; mine: number }>`
    with taken as (
      select size as bytes, company_id, null::uuid as user_id from files where deleted_at is null
      union all select declared_size, company_id, user_id from upload_sessions where status = 'active' and expires_at > now())
    select coalesce(sum(bytes), 0)::bigint as total, coalesce(sum(bytes) filter (where company_id = ${companyId}::uuid), 0)::bigint as company,
      count(*) filter (where user_id = ${user.id}) as mine from taken`.execute(tx);
  if (!used) return;
  if (used.mine >= UPLOADS) throw new Problem(409, "files.tooManyUploads", { values: { limit: UPLOADS } });
  if (user.role === "learner") {
    const {
      rows: [own],
    } = await sql<{ bytes: number }>`
      select (select coalesce(sum(size), 0) from files where owner_id = ${user.id} and purpose <> 'export')::bigint + (select coalesce(sum(declared_size), 0) from upload_sessions where user_id = ${user.id} and status = 'active')::bigint as bytes`.execute(
      tx,
    );
    if (own && own.bytes + bytes > LEARNER_BYTES) throw new Problem(402, "files.ownQuota");
  }
  if (used.total + bytes > config.storageQuota) throw new Problem(402, "files.quota");
  if (companyId && used.company + bytes > config.companyStorageQuota) throw new Problem(402, "files.companyQuota");
}
