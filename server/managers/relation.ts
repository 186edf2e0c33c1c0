import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { MAX_CHAIN } from "#shared/managers/managers.ts";

/** Changes of who leads whom in a company wait for each other, so that no cycle forms between them. */
export const lockManagers = (tx: Tx, companyId: string) => sql`select lock_managers(${companyId})`.execute(tx);

export type Led = { userId: string; managerId: string | null };

/**
 * Stores who leads these learners of a company from today on; null for nobody. Rows that already say so stay as they
 * are. Returns the ids of those who changed. Call under `lockManagers`, after `findCycle`.
 */
export async function storeManagers(tx: Tx, companyId: string, led: Led[]): Promise<string[]> {
  const people = sql`unnest(
    ${led.map(({ userId }) => userId)}::uuid[],
    ${led.map(({ managerId }) => managerId)}::uuid[]
  ) said (user_id, manager_id)`;
  const { rows: removed } = await sql<{ userId: string }>`
    delete from managers
    using ${people}
    where managers.user_id = said.user_id
      and managers.company_id = ${companyId}
      and said.manager_id is null
    returning managers.user_id`.execute(tx);
  const { rows: set } = await sql<{ userId: string }>`
    insert into managers (user_id, manager_id, company_id, since)
    select said.user_id, said.manager_id, companies.id, (now() at time zone companies.timezone)::date
    from ${people}
    join companies on companies.id = ${companyId}
    join users on users.id = said.user_id and users.company_id = companies.id and users.role = 'learner'
    where said.manager_id is not null
    order by said.user_id
    on conflict (user_id) do update
      set manager_id = excluded.manager_id, company_id = excluded.company_id, since = excluded.since
      where managers.manager_id <> excluded.manager_id
    returning user_id`.execute(tx);
  return [...removed, ...set].map(({ userId }) => userId);
}

/**
 * A cycle that these changes would form, as ids and names from the top: Ana, Ben, Ana if Ana leads Ben, who leads Ana.
 * Null if there is none. Call under `lockManagers`.
 */
export async function findCycle(tx: Tx, led: Led[]): Promise<{ ids: string[]; names: string[] } | null> {
  const changed = new Map(led.map(({ userId, managerId }) => [userId, managerId]));
  const { rows } = await sql<{ userId: string; managerId: string }>`
    with recursive above (user_id, manager_id) as (
      select user_id, manager_id
      from managers
      where user_id = any(${led.flatMap(({ managerId }) => managerId ?? [])}::uuid[])
      union
      select managers.user_id, managers.manager_id
      from above
      join managers on managers.user_id = above.manager_id
    )
    select user_id, manager_id
    from above`.execute(tx);
  const stored = new Map(rows.map(({ userId, managerId }) => [userId, managerId]));
  const managerOf = (id: string) => (changed.has(id) ? changed.get(id) : stored.get(id)) ?? null;
  const isClear = new Set<string>();
  for (const { userId } of led) {
    const chain: string[] = [];
    for (let at: string | null = userId; at && !isClear.has(at); at = managerOf(at)) {
      const start = chain.indexOf(at);
      if (start >= 0) return nameChain(tx, [...chain.slice(start), at].toReversed());
      chain.push(at);
    }
    chain.forEach((id) => isClear.add(id));
  }
  return null;
}

async function nameChain(tx: Tx, ids: string[]) {
  const people = await tx.selectFrom("users").where("id", "in", ids).select(["id", "name", "email"]).execute();
  const names = new Map(people.map(({ id, name, email }) => [id, name || email]));
  const shown = ids.length > MAX_CHAIN ? [...ids.slice(0, MAX_CHAIN - 1), ids.at(-1) as string] : ids;
  return { ids, names: shown.map((id) => names.get(id) ?? "") };
}

/** Ana leads Ben, who leads Ana: a chain in words. */
export const chainText = ([first = "", second = "", ...rest]: string[]) =>
  [`${first} leads ${second}`, ...rest.map((name) => `who leads ${name}`)].join(", ");

/**
 * Stores who leads these people, except where the manager is no learner of the company, or where a cycle would form.
 * Returns the ids of those who changed and of those who were left out.
 */
export async function storePossibleManagers(tx: Tx, companyId: string, led: Led[]) {
  await lockManagers(tx, companyId);
  const there = await tx
    .selectFrom("users")
    .where(
      isOneOf(
        "users.id",
        led.flatMap(({ managerId }) => managerId ?? []),
      ),
    )
    .where("users.companyId", "=", companyId)
    .where("users.role", "=", "learner")
    .select("users.id")
    .execute();
  const ids = new Set(there.map(({ id }) => id));
  const leftOut = led.filter(({ managerId, userId }) => managerId && (!ids.has(managerId) || managerId === userId));
  let possible = led.filter((one) => !leftOut.includes(one));
  for (let cycle = await findCycle(tx, possible); cycle; cycle = await findCycle(tx, possible)) {
    const inCycle = new Set(cycle.ids);
    leftOut.push(...possible.filter(({ userId }) => inCycle.has(userId)));
    possible = possible.filter(({ userId }) => !inCycle.has(userId));
  }
  return { changed: await storeManagers(tx, companyId, possible), leftOut: leftOut.map(({ userId }) => userId) };
}
