import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { User } from "#shared/core/users.ts";

/** The most parallel uploads per user. */
const MAX_ACTIVE_UPLOADS = 40;
/** The most bytes that a learner may store: their avatar, and replaced ones whose bytes are not removed yet. */
const LEARNER_BYTES = 50 * 1024 ** 2;

/**
 * Checks that `bytes` more fit into the quotas of the academy, the company and the user; the declared sizes of active
 * uploads count as used. Throws 402, or 409 for too many uploads. Must run in the transaction that inserts the upload,
 * which serialises the check with a lock.
 */
export async function reserveBytes(
  tx: Tx,
  { config }: Pick<Services, "config">,
  { user, companyId, bytes }: { user: Pick<User, "id" | "role">; companyId: string | null; bytes: number },
) {
  await sql`select pg_advisory_xact_lock(hashtext('file quota'))`.execute(tx);
  const {
    rows: [used],
  } = await sql<{ total: number; company: number; uploads: number }>`
    with taken as (
      select size as bytes, company_id, null::uuid as user_id
      from files
      where deleted_at is null
      union all
      select declared_size, company_id, user_id
      from upload_sessions
      where status = 'active'
        and expires_at > now()
    )
    select
      coalesce(sum(bytes), 0)::bigint as total,
      coalesce(sum(bytes) filter (where company_id = ${companyId}::uuid), 0)::bigint as company,
      count(*) filter (where user_id = ${user.id}) as uploads
    from taken`.execute(tx);
  if (!used) return;
  if (used.uploads >= MAX_ACTIVE_UPLOADS)
    throw new Problem(409, "files.tooManyUploads", { values: { limit: MAX_ACTIVE_UPLOADS } });
  if (user.role === "learner") {
    const {
      rows: [learner],
    } = await sql<{ bytes: number }>`
      with stored as (
        select coalesce(sum(size), 0)::bigint as bytes
        from files
        where owner_id = ${user.id}
          and purpose <> 'export'
      ),
      declared as (
        select coalesce(sum(declared_size), 0)::bigint as bytes
        from upload_sessions
        where user_id = ${user.id}
          and status = 'active'
      )
      select stored.bytes + declared.bytes as bytes
      from stored
      cross join declared`.execute(tx);
    if (learner && learner.bytes + bytes > LEARNER_BYTES) throw new Problem(402, "files.ownQuota");
  }
  if (used.total + bytes > config.storageQuota) throw new Problem(402, "files.quota");
  if (companyId && used.company + bytes > config.companyStorageQuota) throw new Problem(402, "files.companyQuota");
}
