import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { lockPeople, lockSettings } from "#server/provisioning/scim/locks.ts";
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
    .where("provisioningHolds.companyId", "=", id)
    .where("provisioningHolds.refusedAt", "is", null)
    .where(inScope(user, { company: "provisioningHolds.companyId" }));
  return readPage(query, {
    ids: rows
      .orderBy("provisioningHolds.askedAt")
      .orderBy("provisioningHolds.userId")
      .select("provisioningHolds.userId as id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) =>
      rows
        .innerJoin("users", "users.id", "provisioningHolds.userId")
        .where(isOneOf("provisioningHolds.userId", ids))
        .select(["users.id", "users.name", "users.email", "provisioningHolds.kind", "provisioningHolds.askedAt"])
        .select(personnelNumber.as("personnelNumber"))
        .execute(),
  });
}

/** The number of people in one transaction. */
const BATCH = 200;

/**
 * Suspends everyone who waits, or nobody. `count` is the number that the admin has seen. People who were added later,
 * or were not reached because of an interruption, still wait.
 */
export async function decideHolds(ctx: Ctx<User>, id: string, { decision, count }: BodyOf<typeof provisioning.decide>) {
  await findCompany(ctx, id);
  const waiting = await ctx.db
    .selectFrom("provisioningHolds")
    .where("companyId", "=", id)
    .where("refusedAt", "is", null)
    .where(inScope(ctx.user, { company: "provisioningHolds.companyId" }))
    .orderBy("userId")
    .select("userId")
    .execute();
  if (waiting.length !== count)
    throw conflict("provisioning.countChanged", { waiting: waiting.length }, { count: waiting.length });
  const decide = decision === "refuse" ? refuse : suspend;
  let changed = 0;
  for (let at = 0; at < waiting.length; at += BATCH) {
    const people = waiting.slice(at, at + BATCH).map(({ userId }) => userId);
    changed += await repeatOnDeadlock(() => inTransaction(ctx.db, (tx) => decide(tx, ctx, id, people)));
  }
  return { changed };
}

/** Those of these people who still wait. */
async function readWaiting(tx: Tx, companyId: string, people: string[]) {
  const rows = await tx
    .selectFrom("provisioningHolds")
    .where(isOneOf("userId", people))
    .where("companyId", "=", companyId)
    .where("refusedAt", "is", null)
    .orderBy("userId")
    .select(["userId", "kind"])
    .execute();
  return {
    people: rows.map(({ userId }) => userId),
    removed: rows.filter(({ kind }) => kind === "remove").map(({ userId }) => userId),
  };
}

async function refuse(tx: Tx, ctx: Ctx<User>, companyId: string, named: string[]): Promise<number> {
  await lockSettings(tx, companyId);
  const { people } = await readWaiting(tx, companyId, named);
  await tx
    .updateTable("provisioningHolds")
    .set({ refusedAt: sql<string>`now()`, refusedBy: ctx.user.id })
    .where(isOneOf("userId", people))
    .where("companyId", "=", companyId)
    .execute();
  await record(tx, ctx, { action: "provisioning.refuse", people, companyId });
  return people.length;
}

/** Suspensions count from zero again, because those that follow belong to another run of the directory. */
async function suspend(tx: Tx, ctx: Ctx<User>, companyId: string, named: string[]): Promise<number> {
  await lockSettings(tx, companyId);
  await lockPeople(tx, companyId, named);
  const { people, removed } = await readWaiting(tx, companyId, named);
  const suspended = await suspendPeople(tx, companyId, people, texts.suspendedByDecision);
  await endLinks(tx, companyId, removed);
  await tx.deleteFrom("provisioningHolds").where(isOneOf("userId", people)).execute();
  await tx
    .updateTable("provisioningSettings")
    .set({ countedFrom: sql<string>`clock_timestamp()` })
    .where("companyId", "=", companyId)
    .execute();
  await record(tx, ctx, { action: "provisioning.suspend", people: suspended, companyId });
  await record(tx, ctx, { action: "provisioning.remove", people: removed, companyId });
  return people.length;
}

/** Refusals count for a day. */
export const forgetRefusals = (db: Db) =>
  sql`
    delete from provisioning_holds
    where refused_at < now() - make_interval(hours => ${HOLD_HOURS})`.execute(db);
