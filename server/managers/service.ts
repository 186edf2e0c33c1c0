import { sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { isOneOf, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { readManager } from "#server/managers/setManager.ts";
import { MAX_DEPUTY_DAYS, type ManagerRow, type managers } from "#shared/managers/managers.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** SQL: today in the time zone of `companies`. */
const today = sql<string>`(now() at time zone companies.timezone)::date`;

const findCompany = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("companies")
    .where("companies.id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select(["companies.id", "companies.managersSeePeople as seePeople", today.as("today")])
    .executeTakeFirstOrThrow(notFound);

/** The managers of a company: who leads people, or was given the right to see them. */
export async function listManagers(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof managers.list>) {
  const { db } = ctx;
  const company = await findCompany(ctx, companyId);
  let matching = db
    .selectFrom("users")
    .where("users.companyId", "=", companyId)
    .where(
      sql<boolean>`users.id in (
        select manager_id from managers where company_id = ${companyId}
        union
        select user_id from given_rights where company_id = ${companyId}
      )`,
    );
  if (query.q) matching = matching.where(searchFor(query.q, ["users.name", "users.email"]));
  const { withoutManager } = await db
    .selectFrom("users")
    .where("users.companyId", "=", companyId)
    .where("users.role", "=", "learner")
    .where(sql<boolean>`not exists (select from managers where managers.user_id = users.id)`)
    .select((e) => e.fn.countAll<number>().as("withoutManager"))
    .executeTakeFirstOrThrow();
  const listed = await readPage(query, {
    ids: matching
      .orderBy(sql`lower(coalesce(nullif(users.name, ''), users.email))`)
      .orderBy("users.id")
      .select("users.id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => selectManagers(ctx, company.today).where(isOneOf("users.id", ids)).execute(),
  });
  return { ...listed, seePeople: company.seePeople, withoutManager };
}

const selectManagers = ({ db }: Ctx<User>, companyToday: string) =>
  db
    .selectFrom("users")
    .leftJoin("managers as own", "own.userId", "users.id")
    .leftJoin("users as above", "above.id", "own.managerId")
    .select(["users.id", "users.name", "users.email", "users.status", "own.managerId"])
    .select(personnelNumber.as("personnelNumber"))
    .select([
      sql<string | null>`coalesce(nullif(above.name, ''), above.email)`.as("manager"),
      sql<number>`(select count(*)::int from managers where managers.manager_id = users.id)`.as("direct"),
      sql<ManagerRow["right"]>`(
        select jsonb_build_object(
          'endsOn', given_rights.ends_on,
          'givenBy', coalesce(nullif(giver.name, ''), giver.email)
        )
        from given_rights
        left join users giver on giver.id = given_rights.given_by
        where given_rights.user_id = users.id
          and given_rights.kind = 'manager'
      )`.as("right"),
      sql<ManagerRow["deputies"]>`coalesce((
        select jsonb_agg(
          jsonb_build_object(
            'id', one.id, 'deputyId', deputy.id, 'name', deputy.name, 'email', deputy.email,
            'personnelNumber', (select number from personnel_numbers where user_id = deputy.id),
            'fromDay', one.from_day, 'untilDay', one.until_day
          )
          order by one.from_day, one.id
        )
        from (
          select *
          from manager_deputies
          where manager_deputies.manager_id = users.id
            and manager_deputies.until_day >= ${companyToday}::date
          order by from_day, id
          limit 50
        ) one
        join users deputy on deputy.id = one.deputy_id
      ), '[]')`.as("deputies"),
    ]);

/** Lets the managers of a company see their people, or only those to whom the right was given. */
export async function allowManagers(ctx: Ctx<User>, companyId: string, { seePeople }: BodyOf<typeof managers.allow>) {
  return inTransaction(ctx.db, async (tx) => {
    await tx
      .updateTable("companies")
      .set({ managersSeePeople: seePeople })
      .where("companies.id", "=", companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .returning("companies.id")
      .executeTakeFirstOrThrow(notFound);
    await record(tx, ctx, { action: seePeople ? "managers.allow" : "managers.disallow", companyId });
    return { seePeople };
  });
}

export async function addDeputy(
  ctx: Ctx<User>,
  managerId: string,
  { deputyId, fromDay, untilDay }: BodyOf<typeof managers.addDeputy>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const manager = await findManager({ ...ctx, db: tx }, managerId);
    const deputy = await readManager(ctx, tx, deputyId, "deputyId");
    if (deputy.companyId !== manager.companyId || deputyId === managerId)
      throw badField("deputyId", "managers.noSuchPerson");
    if (untilDay < fromDay) throw badField("untilDay", "managers.endsBeforeStart");
    if (untilDay < manager.today) throw badField("untilDay", "managers.endsInPast");
    if (Date.parse(untilDay) - Date.parse(fromDay) > MAX_DEPUTY_DAYS * 86_400_000)
      throw badField("untilDay", "managers.tooLong");
    // Of two admins at the same time, the second sees the deputies of the first.
    await sql`select lock_managers(${manager.companyId})`.execute(tx);
    const present = await tx
      .selectFrom("managerDeputies")
      .where("managerId", "=", managerId)
      .where("untilDay", ">=", manager.today)
      .select(["deputyId", "fromDay", "untilDay"])
      .execute();
    if (present.some((one) => one.deputyId === deputyId && one.fromDay <= untilDay && one.untilDay >= fromDay))
      throw badField("deputyId", "managers.alreadyDeputy");
    if (present.length >= 50) throw conflict("managers.tooManyDeputies");
    const { id } = await tx
      .insertInto("managerDeputies")
      .values({ managerId, deputyId, companyId: manager.companyId, fromDay, untilDay, createdBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, {
      action: "managers.addDeputy",
      people: [managerId, deputyId],
      companyId: manager.companyId,
      details: { fromDay, untilDay },
    });
    const person = await tx
      .selectFrom("users")
      .where("id", "=", deputyId)
      .select(["name", "email", personnelNumber.as("personnelNumber")])
      .executeTakeFirstOrThrow(notFound);
    return { id, deputyId, ...person, fromDay, untilDay };
  });
}

export async function removeDeputy(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const removed = await tx
      .deleteFrom("managerDeputies")
      .where("managerDeputies.id", "=", id)
      .where(inScope(ctx.user, { company: "managerDeputies.companyId" }))
      .returning(["managerId", "deputyId", "companyId"])
      .executeTakeFirstOrThrow(notFound);
    await record(tx, ctx, {
      action: "managers.removeDeputy",
      people: [removed.managerId, removed.deputyId],
      companyId: removed.companyId,
    });
  });
}

/** Gives the right to one manager, or changes its end. */
export async function giveRight(ctx: Ctx<User>, userId: string, { endsOn }: BodyOf<typeof managers.give>) {
  await inTransaction(ctx.db, async (tx) => {
    const { companyId, today } = await findManager({ ...ctx, db: tx }, userId);
    if (endsOn && endsOn < today) throw badField("endsOn", "managers.endsInPast");
    const given = { endsOn, givenBy: ctx.user.id, companyId, givenAt: new Date().toISOString() };
    await tx
      .insertInto("givenRights")
      .values({ userId, kind: "manager", ...given })
      .onConflict((conflict) => conflict.columns(["userId", "kind"]).doUpdateSet(given))
      .execute();
    await record(tx, ctx, { action: "managers.give", people: [userId], companyId, details: { endsOn } });
  });
}

export async function takeRight(ctx: Ctx<User>, userId: string) {
  await inTransaction(ctx.db, async (tx) => {
    const { companyId } = await tx
      .deleteFrom("givenRights")
      .where("givenRights.userId", "=", userId)
      .where("givenRights.kind", "=", "manager")
      .where(inScope(ctx.user, { company: "givenRights.companyId" }))
      .returning("companyId")
      .executeTakeFirstOrThrow(notFound);
    await record(tx, ctx, { action: "managers.take", people: [userId], companyId });
  });
}

/** A learner in the scope of the user, with today in their company; 404 for any other. */
async function findManager({ db, user }: Ctx<User>, id: string) {
  return db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .where("users.id", "=", id)
    .where("users.role", "=", "learner")
    .where(inScope(user, { company: "users.companyId", person: "users.id" }))
    .select(["users.id", "companies.id as companyId", today.as("today")])
    .executeTakeFirstOrThrow(notFound);
}
