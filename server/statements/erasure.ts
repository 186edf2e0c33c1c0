import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Person } from "#server/core/domains/personalData.ts";
import type { Services } from "#server/core/services.ts";
import { agentKeyOf, keysOfPerson } from "#server/statements/identifiers.ts";
import type { Actor, Agent, StoredStatement } from "#shared/statements/xapi.ts";

const BATCH = 500;
/** The home page of accounts that replace erased people; RFC 2606 reserves `.invalid`. */
export const ERASED_HOME = "https://erased.invalid";

/**
 * Replaces a person in all statements by one random account, so that statements and people can still be counted. Their
 * own statements keep what was done, its result, its day and the time of storing, but no texts, extensions, attachments
 * or signatures. Their profiles and states are deleted.
 */
export async function erasePerson(tx: Tx, { id, email }: Person, { config }: Pick<Services, "config">) {
  const keys = new Set(await listKeys(tx, config.publicUrl, id, email));
  const alias: Agent = { objectType: "Agent", account: { homePage: ERASED_HOME, name: randomUUID() } };
  for (const companyId of await listCompanies(tx, id)) await eraseIn(tx, companyId, id, keys, alias);
}

/** The companies of the person, present and past. */
async function listCompanies(tx: Tx, id: string) {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId"
    from users
    where id = ${id}
      and company_id is not null
    union
    select company_id
    from enrolments
    where user_id = ${id}
    union
    select company_id
    from statements
    where user_id = ${id}
    union
    select company_id
    from statement_documents
    where user_id = ${id}
    order by 1`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/**
 * Replaces the person in the statements of one company. Adds the keys by which their own statements name them to
 * `keys`.
 */
async function eraseIn(tx: Tx, companyId: string, id: string, keys: Set<string>, alias: Agent) {
  for (let after = 0; ;) {
    const { rows } = await sql<{ position: number; userId: string | null; statement: StoredStatement }>`
      select statements.position, statements.user_id as "userId", statements.statement
      from statements
      where statements.company_id = ${companyId}
        and statements.position > ${after}
        and statements.position in (
          select own.position
          from statements own
          where own.user_id = ${id}
          union
          select named.position
          from statement_agents named
          where named.company_id = ${companyId}
            and named.agent_key = any(${[...keys]}::uuid[])
        )
      order by statements.position
      limit ${BATCH}`.execute(tx);
    if (rows.length === 0) break;
    after = rows.at(-1)?.position as number;
    // A launched course may name its actor differently.
    for (const { userId, statement } of rows) {
      const key = userId === id ? agentKeyOf(statement.actor) : null;
      if (key) keys.add(key);
    }
    const written = rows.map(({ userId, statement }) =>
      JSON.stringify(replaceAgents(userId === id ? reduceOwn(statement) : statement, keys, alias)),
    );
    await sql`
      update statements
      set
        statement = changed.statement,
        happened_at = case when changed.is_own then date_trunc('day', happened_at, 'UTC') else happened_at end
      from unnest(
        ${rows.map(({ position }) => position)}::bigint[],
        ${written}::jsonb[],
        ${rows.map(({ userId }) => userId === id)}::boolean[]
      ) as changed (position, statement, is_own)
      where statements.company_id = ${companyId}
        and statements.position = changed.position`.execute(tx);
    await removeFiles(
      tx,
      companyId,
      rows.filter(({ userId }) => userId === id).map(({ position }) => position),
    );
  }
  const aliasKey = agentKeyOf(alias);
  await sql`
    insert into statement_agents (company_id, agent_key, stored_at, position, is_main)
    select company_id, ${aliasKey}::uuid, stored_at, position, bool_or(is_main)
    from statement_agents
    where company_id = ${companyId}
      and agent_key = any(${[...keys]}::uuid[])
    group by company_id, stored_at, position
    on conflict do nothing`.execute(tx);
  await sql`
    delete from statement_agents
    where company_id = ${companyId}
      and agent_key = any(${[...keys]}::uuid[])`.execute(tx);
  await sql`
    delete from statement_documents
    where company_id = ${companyId}
      and agent_key = any(${[...keys]}::uuid[])`.execute(tx);
}

/**
 * The keys by which statements name the person: those in their own statements, the account here, and the verified
 * email.
 */
async function listKeys(tx: Tx, publicUrl: string, id: string, email: string | null) {
  const { rows } = await sql<{ actor: Actor }>`
    select distinct statement -> 'actor' as actor
    from statements
    where user_id = ${id}
    limit 100`.execute(tx);
  const verified = await tx
    .selectFrom("users")
    .where("id", "=", id)
    .where("emailVerified", "=", true)
    .select("id")
    .executeTakeFirst();
  const used = rows.flatMap(({ actor }) => agentKeyOf(actor) ?? []);
  return [...new Set([...used, ...keysOfPerson({ publicUrl }, id, verified ? email : null)])];
}

type Reducible = Pick<StoredStatement, "result" | "context" | "attachments"> & { timestamp?: string; object: unknown };

/** Keeps what was done and its result; applies to a SubStatement too. */
function reduceOwn<S extends Reducible>({ result, context, attachments: _, ...statement }: S): S {
  const { response: __, extensions: ___, ...facts } = result ?? {};
  const { contextActivities, language, platform } = context ?? {};
  const day = (time: string) => `${new Date(time).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const reduced: Reducible = {
    ...statement,
    ...(statement.timestamp !== undefined && { timestamp: day(statement.timestamp) }),
    ...(isSubStatement(statement.object) && { object: reduceOwn(statement.object) }),
    ...(result && { result: facts }),
    ...(contextActivities && {
      context: { contextActivities, ...(language && { language }), ...(platform && { platform }) },
    }),
  };
  return reduced as S;
}

const isSubStatement = (object: unknown): object is Reducible =>
  typeof object === "object" && object !== null && "objectType" in object && object.objectType === "SubStatement";

function replaceAgents<T>(value: T, keys: ReadonlySet<string>, alias: Agent): T {
  if (Array.isArray(value)) return value.map((item: unknown) => replaceAgents(item, keys, alias)) as T;
  if (typeof value !== "object" || value === null) return value;
  const key = agentKeyOf(value as Actor);
  if (key !== null && keys.has(key)) return alias as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceAgents(member as unknown, keys, alias)]),
  ) as T;
}

/** Removes attachments, and their bytes unless another statement uses them. */
async function removeFiles(tx: Tx, companyId: string, positions: number[]) {
  if (positions.length === 0) return;
  await sql`
    with removed as (
      delete from statement_attachments
      where company_id = ${companyId}
        and position = any(${positions}::bigint[])
      returning hash
    )
    delete from statement_files files
    using removed
    where files.company_id = ${companyId}
      and files.hash = removed.hash
      and not exists (
        select from statement_attachments others
        where others.company_id = files.company_id
          and others.hash = files.hash
          and others.position <> all(${positions}::bigint[])
      )`.execute(tx);
}
