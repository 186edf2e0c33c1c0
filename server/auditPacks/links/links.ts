import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { linkOf } from "#server/auditPacks/links/token.ts";
import { isWorking, readPack } from "#server/auditPacks/packRows.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { type AuditLink, type auditPacks, MAX_LINKS, type Opening } from "#shared/auditPacks/auditPacks.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The latest openings that are shown of a link. */
const SHOWN_OPENINGS = 100;
const SEED_BYTES = 16;

type LinkRow = Omit<AuditLink, "url" | "openings"> & { openings: Opening[] };

async function readLinks(ctx: Ctx<User>, packId: string, id?: string): Promise<AuditLink[]> {
  const { rows } = await sql<LinkRow>`
    select
      audit_links.id, audit_links.label, audit_links.may_download, audit_links.until, audit_links.created_at,
      ${isWorking} as is_working,
      coalesce(nullif(users.name, ''), users.email) as created_by,
      (select count(*)::int from audit_samples where audit_samples.link_id = audit_links.id) as samples,
      (select count(*)::int from audit_openings where audit_openings.link_id = audit_links.id) as opened,
      coalesce(latest.openings, '[]') as openings
    from audit_links
    left join users on users.id = audit_links.created_by
    left join lateral (
      select json_agg(json_build_object(
        'what', opening.what, 'sampleNo', opening.sample_no, 'person', opening.person, 'at', opening.opened_at
      ) order by opening.id desc) as openings
      from (
        select audit_openings.*, coalesce(nullif(person.name, ''), person.email) as person
        from audit_openings
        left join users person on person.id = audit_openings.person_id
        where audit_openings.link_id = audit_links.id
        order by audit_openings.id desc
        limit ${SHOWN_OPENINGS}
      ) opening
    ) latest on true
    where audit_links.pack_id = ${packId}
      and (${id ?? null}::uuid is null or audit_links.id = ${id ?? null}::uuid)
    order by audit_links.created_at desc, audit_links.id`.execute(ctx.db);
  return rows.map((row) => ({ ...row, url: linkOf(ctx.config, row.id) }));
}

/** The links of a pack of a company in the scope of the user, newest first. */
export async function listLinks(ctx: Ctx<User>, packId: string) {
  await readPack(ctx, packId);
  return { items: await readLinks(ctx, packId) };
}

/** Makes a link that works until the end of a day of the company. */
export async function createLink(
  ctx: Ctx<User>,
  packId: string,
  { label, days, mayDownload }: BodyOf<typeof auditPacks.link>,
) {
  const { companyId, zone, files } = await readPack(ctx, packId);
  if (files === null) throw conflict("auditPacks.notMade");
  const id = await inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom("auditPacks").where("id", "=", packId).select("id").forNoKeyUpdate().executeTakeFirst();
    const { count } = await tx
      .selectFrom("auditLinks")
      .where("packId", "=", packId)
      .select(sql<number>`count(*)::int`.as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_LINKS) throw conflict("auditPacks.tooManyLinks", undefined, { count: MAX_LINKS });
    const made = await tx
      .insertInto("auditLinks")
      .values({
        packId,
        label,
        mayDownload,
        seed: randomBytes(SEED_BYTES).toString("hex"),
        until: sql`((now() at time zone ${zone})::date + ${days + 1}::integer)::timestamp at time zone ${zone}`,
        createdBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "auditPacks.link", companyId });
    return made.id;
  });
  const [link] = await readLinks(ctx, packId, id);
  if (!link) throw notFound();
  return link;
}

/** Ends a link of a company in the scope of the user; 404 for any other. */
export const endLink = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const { companyId } = await tx
      .selectFrom("auditLinks")
      .innerJoin("auditPacks", "auditPacks.id", "auditLinks.packId")
      .where("auditLinks.id", "=", id)
      .where(inScope(ctx.user, { company: "auditPacks.companyId" }))
      .select("auditPacks.companyId")
      .executeTakeFirstOrThrow(notFound);
    const { numUpdatedRows } = await tx
      .updateTable("auditLinks")
      .set({ endedAt: sql`now()` })
      .where("id", "=", id)
      .where("endedAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await record(tx, ctx, { action: "auditPacks.unlink", companyId });
  });
