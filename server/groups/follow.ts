import { sql } from "kysely";
import { z } from "zod";
import { inTransaction, withCause } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { concerns, countPeople, lockGroups, reconcileAll } from "#server/groups/membership.ts";

/** Changes that one transaction follows. */
const BATCH = 2000;
/** Both jobs change groups of companies under their locks; the trigger `queue_group_change` uses the same queue. */
const QUEUE = "groups";

type Change = { userId: string; kind: string; target: string };

/** Follows changes of people into and out of groups; triggers order it in the transaction of a change. */
export const followChanges = job(
  "groups:follow",
  z.object({}),
  async (services) => {
    let waiting = await services.db.selectFrom("groupChanges").select("companyId").distinct().execute();
    const failures: unknown[] = [];
    // One batch of each company in turn, so that a large import of one does not hold up the others.
    while (waiting.length > 0) {
      const left: typeof waiting = [];
      failures.push(
        ...(await forEach(waiting, async (company) => {
          if (await followBatch(services, company.companyId)) left.push(company);
        })),
      );
      waiting = left;
    }
    failIfAny(failures);
  },
  // What an interrupted job has left.
  "* * * * *",
  QUEUE,
);

/** What fails for one company stops no other. Returns the failures. */
async function forEach<T>(companies: T[], work: (company: T) => Promise<void>) {
  const failures: unknown[] = [];
  for (const company of companies) await work(company).catch((error: unknown) => void failures.push(error));
  return failures;
}

/** The job fails after all companies, so that it is tried again. */
function failIfAny(failures: unknown[]) {
  if (failures.length > 0) throw new AggregateError(failures, "groups of some companies could not be followed");
}

/** Follows the next changes of a company. False if there are none. */
function followBatch(services: Services, companyId: string) {
  return inTransaction(withCause(services.db, { actorId: null, reason: "groups.follow" }), async (tx) => {
    await lockGroups(tx, companyId);
    const { rows: changes } = await sql<Change>`
      delete from group_changes
      where id in (
        select id
        from group_changes
        where company_id = ${companyId}
        order by id
        limit ${BATCH}
      )
      returning user_id, kind, target`.execute(tx);
    if (changes.length === 0) return false;
    const uses = await tx
      .selectFrom("groupRuleUses as uses")
      .innerJoin("groups", "groups.id", "uses.groupId")
      .where("uses.companyId", "=", companyId)
      .where("groups.removedAt", "is", null)
      .where(concerns(changes))
      .select(["uses.groupId", "uses.kind", "uses.target"])
      .distinct()
      .execute();
    const due = new Map<string, Set<string>>();
    const add = (groupId: string, userId: string) => due.set(groupId, (due.get(groupId) ?? new Set()).add(userId));
    const bySubject = Map.groupBy(changes, ({ kind, target }) => `${kind} ${target}`);
    for (const { groupId, kind, target } of uses)
      for (const { userId } of bySubject.get(`${kind} ${target}`) ?? []) add(groupId, userId);
    const moved = changes.filter(({ kind }) => kind === "person");
    if (moved.length > 0)
      for (const { id } of await tx
        .selectFrom("groups")
        .where("companyId", "=", companyId)
        .where("removedAt", "is", null)
        .select("id")
        .execute())
        for (const { userId } of moved) add(id, userId);
    await reconcileAll(tx, companyId, due);
    await countPeople(tx, [...new Set(changes.filter(({ kind }) => kind === "erased").map(({ target }) => target))]);
    return true;
  });
}

/**
 * Every quarter of an hour, for companies in which a day has begun: rules that depend on the day, and what was decided
 * by hand until the day before.
 */
export const followDays = job(
  "groups:followDays",
  z.object({}),
  async (services) => {
    const { rows: companies } = await sql<{ companyId: string }>`
      select distinct groups.company_id
      from groups
      join companies on companies.id = groups.company_id
      left join group_overrides ended on ended.group_id = groups.id
        and ended.until < (now() at time zone companies.timezone)::date
      where groups.removed_at is null
        and (
          ended.group_id is not null
          or (
            groups.follows_days
            and coalesce(groups.checked_on, '-infinity') < (now() at time zone companies.timezone)::date
          )
        )`.execute(services.db);
    failIfAny(await forEach(companies, ({ companyId }) => beginDay(services, companyId)));
  },
  "*/15 * * * *",
  QUEUE,
);

const beginDay = (services: Services, companyId: string) =>
  inTransaction(withCause(services.db, { actorId: null, reason: "groups.followDays" }), async (tx) => {
    await lockGroups(tx, companyId);
    const { rows: ended } = await sql<{ groupId: string; userId: string }>`
      delete from group_overrides
      using groups, companies
      where groups.id = group_overrides.group_id
        and companies.id = groups.company_id
        and companies.id = ${companyId}
        and group_overrides.until < (now() at time zone companies.timezone)::date
      returning group_overrides.group_id, group_overrides.user_id`.execute(tx);
    const due = new Map<string, "all" | Set<string>>();
    for (const { groupId, userId } of ended)
      due.set(groupId, new Set([...((due.get(groupId) as Set<string> | undefined) ?? []), userId]));
    const { rows: dated } = await sql<{ id: string }>`
      update groups
      set checked_on = (now() at time zone companies.timezone)::date
      from companies
      where companies.id = groups.company_id
        and companies.id = ${companyId}
        and groups.follows_days
        and groups.removed_at is null
      returning groups.id`.execute(tx);
    for (const { id } of dated) due.set(id, "all");
    await reconcileAll(tx, companyId, due);
  });
