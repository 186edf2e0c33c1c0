import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { checkEnrolmentRules } from "#server/groups/circles.ts";
import { findCompany, getGroup, GROUP_SCOPE, selectMembers } from "#server/groups/groupRows.ts";
import { lockGroups, readRuleContext, reconcileAll, wantedMembers } from "#server/groups/membership.ts";
import { checkRule, followsDays, storeUses } from "#server/groups/rules.ts";
import { type groups, MAX_GROUPS, type Preview } from "#shared/groups/groups.ts";
import texts from "#shared/locales/en/groups.json" with { type: "json" };
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Turns the violation of the unique name into an error of the field. */
const withUniqueName = <T>(saving: Promise<T>) =>
  saving.catch((error: unknown) => {
    throw isUniqueViolation(error, "groups_name") ? badField("name", "groups.nameTaken") : error;
  });

export const createGroup = (ctx: Ctx<User>, { companyId, ...input }: BodyOf<typeof groups.create>) =>
  withUniqueName(
    inTransaction(ctx.db, async (tx) => {
      const scoped = { ...ctx, db: tx };
      await findCompany(scoped, companyId);
      await lockGroups(tx, companyId);
      const { count } = await tx
        .selectFrom("groups")
        .where("companyId", "=", companyId)
        .where("removedAt", "is", null)
        .select((e) => e.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      if (count >= MAX_GROUPS) throw conflict("groups.tooMany", undefined, { count: MAX_GROUPS });
      if (input.rule) await checkRule(tx, companyId, input.rule, null);
      const { id } = await tx
        .insertInto("groups")
        .values({
          ...input,
          companyId,
          rule: input.rule && JSON.stringify(input.rule),
          followsDays: followsDays(input.rule),
          updatedBy: ctx.user.id,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await storeUses(tx, { id, companyId, rule: input.rule });
      await reconcileAll(tx, companyId, new Map([[id, "all"]]));
      await record(tx, ctx, { action: "groups.create", object: { groups: id }, companyId });
      return getGroup(scoped, id);
    }),
  );

/** Locks a group in the scope of the user, and all groups of its company, for a change; 404 for any other. */
async function lockGroup({ user }: Ctx<User>, tx: Tx, id: string) {
  const select = () =>
    tx.selectFrom("groups").where("id", "=", id).where("removedAt", "is", null).where(inScope(user, GROUP_SCOPE));
  const { companyId } = await select().select("companyId").executeTakeFirstOrThrow(notFound);
  await lockGroups(tx, companyId);
  return select().selectAll().forUpdate().executeTakeFirstOrThrow(notFound);
}

export const updateGroup = (ctx: Ctx<User>, id: string, { version, ...change }: BodyOf<typeof groups.update>) =>
  withUniqueName(
    inTransaction(ctx.db, async (tx) => {
      const scoped = { ...ctx, db: tx };
      const { companyId, name, provided, version: current, updatedBy, updatedAt } = await lockGroup(ctx, tx, id);
      if (current !== version) {
        const changedBy = await nameOf(tx, updatedBy);
        throw conflict("core.conflict", { current: await getGroup(scoped, id), changedBy, changedAt: updatedAt });
      }
      if (provided && (change.rule || (change.name !== undefined && change.name !== name)))
        throw conflict("groups.provided");
      if (change.rule) {
        await checkRule(tx, companyId, change.rule, id);
        await checkEnrolmentRules(tx, id, change.rule);
      }
      const { rule, ...texts } = change;
      await tx
        .updateTable("groups")
        .set({
          ...texts,
          ...(rule !== undefined && { rule: rule && JSON.stringify(rule), followsDays: followsDays(rule) }),
          version: version + 1,
          updatedAt: new Date().toISOString(),
          updatedBy: ctx.user.id,
        })
        .where("id", "=", id)
        .execute();
      if (rule !== undefined) {
        await storeUses(tx, { id, companyId, rule });
        await reconcileAll(tx, companyId, new Map([[id, "all"]]));
      }
      await record(tx, ctx, {
        action: "groups.update",
        object: { groups: id },
        companyId,
        details: { fields: Object.keys(change) },
      });
      return getGroup(scoped, id);
    }),
  );

async function nameOf(tx: Tx, userId: string | null) {
  if (!userId) return null;
  const row = await tx
    .selectFrom("users")
    .where("id", "=", userId)
    .select(sql<string>`coalesce(nullif(name, ''), email)`.as("name"))
    .executeTakeFirst();
  return row?.name ?? null;
}

const actions = { free: "groups.free", in: "groups.putIn", out: "groups.keepOut" } as const;

/** Puts learners of the company in or keeps them out; unknown ids are skipped. With null the rule decides again. */
export async function placePeople(
  ctx: Ctx<User>,
  id: string,
  { ids, place, until, note }: BodyOf<typeof groups.place>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const { companyId } = await lockGroup(ctx, tx, id);
    const learners = await tx
      .selectFrom("users")
      .where(isOneOf("id", ids))
      .where("companyId", "=", companyId)
      .where("role", "=", "learner")
      .select("id")
      .execute();
    const people = learners.map((person) => person.id);
    if (until) {
      const { timezone } = await findCompany({ ...ctx, db: tx }, companyId);
      const { rows } = await sql<{ isOver: boolean }>`
        select ${until}::date < (now() at time zone ${timezone})::date as is_over`.execute(tx);
      if (rows[0]?.isOver) throw badField("until", "groups.endOver");
    }
    await tx.deleteFrom("groupOverrides").where("groupId", "=", id).where(isOneOf("userId", people)).execute();
    if (place && people.length > 0)
      await tx
        .insertInto("groupOverrides")
        .values(people.map((userId) => ({ groupId: id, userId, place, until, note, createdBy: ctx.user.id })))
        .execute();
    await reconcileAll(tx, companyId, new Map([[id, new Set(people)]]));
    await record(tx, ctx, { action: actions[place ?? "free"], object: { groups: id }, people, companyId });
    return { changed: people.length };
  });
}

/** Deletes a group that no rule refers to. Who was in it when stays, for the reports about it. */
export async function removeGroup(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const { companyId } = await lockGroup(ctx, tx, id);
    const { usedBy } = await getGroup({ ...ctx, db: tx }, id);
    const [first] = usedBy;
    if (first) throw conflict("groups.used", { usedBy }, { name: first.name, count: usedBy.length });
    await record(tx, ctx, { action: "groups.remove", object: { groups: id }, companyId });
    await closeGroup(tx, id);
  });
}

/** Marks a group as deleted: everyone leaves it. Call under `lockGroups`, after looking for what uses it. */
export async function closeGroup(tx: Tx, id: string) {
  await tx.deleteFrom("groupOverrides").where("groupId", "=", id).execute();
  await tx.deleteFrom("groupRuleUses").where("groupId", "=", id).execute();
  await tx
    .updateTable("groupMembers")
    .set({ until: sql<string>`greatest(clock_timestamp(), since)` })
    .where("groupId", "=", id)
    .where("until", "is", null)
    .execute();
  await tx
    .updateTable("groups")
    .set({ removedAt: sql<string>`now()`, people: 0, rule: null, followsDays: false })
    .where("id", "=", id)
    .execute();
  await tx.deleteFrom("groupProvidedMembers").where("groupId", "=", id).execute();
}

/** The first people by name that a preview shows. */
const SHOWN = 5;

export async function previewGroup(ctx: Ctx<User>, { companyId, id, rule }: BodyOf<typeof groups.preview>) {
  return inTransaction(ctx.db, async (tx): Promise<Preview> => {
    await findCompany({ ...ctx, db: tx }, companyId);
    if (id) {
      const group = await getGroup({ ...ctx, db: tx }, id);
      if (group.companyId !== companyId) throw notFound();
    }
    if (rule) await checkRule(tx, companyId, rule, id ?? null);
    if (rule && id) await checkEnrolmentRules(tx, id, rule);
    // A new group has no members and nobody who was put in by hand.
    const group = { id: id ?? "00000000-0000-0000-0000-000000000000", companyId, rule };
    const context = await readRuleContext(tx, companyId, [rule]);
    const part = (name: string, condition: string) => sql`
      select ${sql.lit(name)} as part, count(*)::int as count,
        (array_agg(shown order by lower(shown)))[1:${sql.lit(SHOWN)}] as names
      from compared
      where ${sql.raw(condition)}`;
    const { rows } = await sql<{ part: keyof Preview; count: number; names: string[] | null }>`
      with wanted as materialized (${wantedMembers(group, context)}),
      compared as (
        select
          coalesce(nullif(users.name, ''), users.email) as shown,
          wanted.person_id is not null as is_wanted,
          members.person_id is not null as is_member
        from wanted
        full join (
          select person_id
          from group_members
          where group_id = ${group.id}
            and until is null
        ) members on members.person_id = wanted.person_id
        join users on users.id = coalesce(wanted.person_id, members.person_id)
      )
      ${part("members", "is_wanted")}
      union all
      ${part("joins", "is_wanted and not is_member")}
      union all
      ${part("leaves", "is_member and not is_wanted")}`.execute(tx);
    const of = (name: keyof Preview) => {
      const row = rows.find((one) => one.part === name);
      return { count: row?.count ?? 0, names: row?.names ?? [] };
    };
    return { members: of("members"), joins: of("joins"), leaves: of("leaves") };
  });
}

/** The people of a group with the reason, as CSV. */
export async function exportGroup(ctx: Ctx<User>, id: string) {
  const { people } = await getGroup(ctx, id);
  return exportRows(
    "group",
    "csv",
    readRows(ctx, selectMembers(ctx, id, {})),
    [
      [texts.csv.name, (row) => row.name],
      [texts.csv.email, (row) => row.email],
      [texts.csv.why, (row) => texts.why[row.why]],
      [texts.csv.since, (row) => row.since],
      [texts.csv.until, (row) => row.until],
      [texts.csv.note, (row) => row.note],
      [texts.csv.personnelNumber, (row) => row.personnelNumber],
    ],
    people,
  );
}
