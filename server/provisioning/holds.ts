import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { lockSettings } from "#server/provisioning/scim/context.ts";
import { endLinks, suspendPeople } from "#server/provisioning/scim/suspending.ts";
import { findCompany } from "#server/provisioning/findCompany.ts";
import texts from "#shared/locales/en/provisioning.json" with { type: "json" };
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { HOLD_HOURS, type provisioning } from "#shared/provisioning/provisioning.ts";

export async function listHolds(ctx: Ctx<User>, id: string, query: QueryOf<typeof provisioning.holds>) {
  const { db, user } = ctx;
  await findCompany(ctx, id);
  const rows = db
    .selectFrom("provisioningHolds")
    .innerJoin("users", "users.id", "provisioningHolds.userId")
    .where("provisioningHolds.companyId", "=", id)
    .where("provisioningHolds.refusedAt", "is", null)
    .where(inScope(user, { company: "provisioningHolds.companyId" }));
  return readPage(query, {
    ids: rows.orderBy("provisioningHolds.askedAt").orderBy("users.id").select("users.id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) =>
      rows
        .where(isOneOf("users.id", ids))
        .select(["users.id", "users.name", "users.email", "provisioningHolds.kind", "provisioningHolds.askedAt"])
        .select(personnelNumber.as("personnelNumber"))
        .execute(),
  });
}

/** Suspends everyone who waits, or nobody. `count` is the number that the admin has seen. */
export const decideHolds = (ctx: Ctx<User>, id: string, { decision, count }: BodyOf<typeof provisioning.decide>) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      await findCompany({ ...ctx, db: tx }, id);
      await lockSettings(tx, id);
      const waiting = await tx
        .selectFrom("provisioningHolds")
        .where("companyId", "=", id)
        .where("refusedAt", "is", null)
        .select(["userId", "kind"])
        .execute();
      if (waiting.length !== count)
        throw conflict("provisioning.countChanged", { waiting: waiting.length }, { count: waiting.length });
      const people = waiting.map(({ userId }) => userId);
      if (decision === "refuse") await refuse(tx, ctx, id, people);
      else
        await suspend(
          tx,
          ctx,
          id,
          people,
          waiting.filter(({ kind }) => kind === "remove").map(({ userId }) => userId),
        );
      return { changed: people.length };
    }),
  );

async function refuse(tx: Tx, ctx: Ctx<User>, companyId: string, people: string[]) {
  await tx
    .updateTable("provisioningHolds")
    .set({ refusedAt: sql<string>`now()`, refusedBy: ctx.user.id })
    .where(isOneOf("userId", people))
    .where("companyId", "=", companyId)
    .execute();
  await record(tx, ctx, { action: "provisioning.refuse", people, companyId });
}

/** The count begins anew: what the directory suspends from now on is another run. */
async function suspend(tx: Tx, ctx: Ctx<User>, companyId: string, people: string[], removed: string[]) {
  await sql`
    insert into provisioned_people (user_id, company_id, user_name)
    select users.id, users.company_id, coalesce(users.email, personnel_numbers.number, users.id::text)
    from users
    left join personnel_numbers on personnel_numbers.user_id = users.id
    where ${isOneOf("users.id", people)}
      and users.company_id = ${companyId}
    on conflict do nothing`.execute(tx);
  const suspended = await suspendPeople(tx, companyId, people, texts.directory);
  await endLinks(tx, companyId, removed);
  await tx.deleteFrom("provisioningHolds").where(isOneOf("userId", people)).execute();
  await tx
    .updateTable("provisioningSettings")
    .set({ countedFrom: sql<string>`now()` })
    .where("companyId", "=", companyId)
    .execute();
  await record(tx, ctx, { action: "provisioning.suspend", people: suspended, companyId });
  await record(tx, ctx, { action: "provisioning.remove", people: removed, companyId });
}

/** Refusals count for a day. */
export const forgetRefusals = (tx: Tx) =>
  sql`
    delete from provisioning_holds
    where refused_at < now() - make_interval(hours => ${HOLD_HOURS})`.execute(tx);
