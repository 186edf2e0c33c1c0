import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { listDefinitions } from "#server/fields/values.ts";
import { findCompany } from "#server/provisioning/findCompany.ts";
import { listKeys } from "#server/provisioning/keys.ts";
import { presentMapping } from "#server/provisioning/scim/context.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type provisioning, type ProvisioningSettings, SCIM_PATH } from "#shared/provisioning/provisioning.ts";

type Reader = Pick<Ctx<User>, "db" | "user" | "config">;

export async function readSettings(ctx: Reader, id: string): Promise<ProvisioningSettings> {
  await findCompany(ctx, id);
  const { rows } = await sql<Pick<ProvisioningSettings, "removal" | "invites" | "mapping" | "version"> & Counts>`
    select coalesce(settings.removal, 'suspend') as removal,
      coalesce(settings.invites, false) as invites,
      coalesce(settings.mapping, '{}') as mapping,
      coalesce(settings.version, 0) as version,
      (
        select count(*)::int
        from provisioned_people
        where provisioned_people.company_id = companies.id
          and removed_at is null
      ) as people,
      (
        select count(*)::int
        from groups
        where groups.company_id = companies.id
          and groups.provided
          and groups.removed_at is null
      ) as groups,
      (
        select count(*)::int
        from provisioning_holds
        where provisioning_holds.company_id = companies.id
          and refused_at is null
      ) as waiting
    from companies
    left join provisioning_settings settings on settings.company_id = companies.id
    where companies.id = ${id}
      and ${inScope(ctx.user, { company: "companies.id" })}`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw notFound();
  const mapping = presentMapping(found.mapping, await listDefinitions(ctx.db, id));
  return { ...found, mapping, address: ctx.config.publicUrl + SCIM_PATH, keys: await listKeys(ctx, id) };
}
type Counts = { people: number; groups: number; waiting: number };

export const updateSettings = (
  ctx: Ctx<User>,
  id: string,
  { version, mapping, ...change }: BodyOf<typeof provisioning.update>,
) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    await findCompany(scoped, id);
    if (mapping) {
      const there = new Set((await listDefinitions(tx, id)).map((field) => field.id));
      const mapped = new Set<string>();
      for (const [attribute, field] of Object.entries(mapping)) {
        if (!there.has(field)) throw badField(`mapping.${attribute}`, "fields.unknown");
        if (mapped.has(field)) throw badField(`mapping.${attribute}`, "provisioning.mappedTwice");
        mapped.add(field);
      }
    }
    await sql`
      insert into provisioning_settings (company_id)
      values (${id})
      on conflict do nothing`.execute(tx);
    const changed = await tx
      .updateTable("provisioningSettings")
      .set({
        ...change,
        ...(mapping && { mapping: JSON.stringify(mapping) }),
        version: version + 1,
        updatedAt: new Date().toISOString(),
        updatedBy: ctx.user.id,
      })
      .where("companyId", "=", id)
      .where(inScope(ctx.user, { company: "provisioningSettings.companyId" }))
      .where("version", "=", version)
      .returning("companyId")
      .executeTakeFirst();
    if (!changed) throw conflict("core.conflict", { current: await readSettings(scoped, id) });
    await record(tx, ctx, {
      action: "provisioning.settings",
      companyId: id,
      details: { fields: [...Object.keys(change), ...(mapping ? ["mapping"] : [])] },
    });
    return readSettings(scoped, id);
  });
