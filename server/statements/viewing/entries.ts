import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf, MAX_COUNTED, upToMax } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { keyOf } from "#server/statements/identifiers.ts";
import { isActivity } from "#server/statements/named.ts";
import { statementFor } from "#server/statements/shownStatement.ts";
import { nameActor, nameObject, nameVerb, readResult } from "#server/statements/viewing/names.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { MAX_NAME_CHARS, type StatementEntry, type StatementFilter } from "#shared/statements/statementEntries.ts";
import type { statements } from "#shared/statements/statements.ts";
import type { Activity, Actor, Definition, Result, StatementObject, Verb } from "#shared/statements/xapi.ts";

const and = (conditions: RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;

/**
 * SQL conditions of a filter on `statements` and, for an agent or activity, on `driver`, the index table that finds
 * them.
 */
function conditionsOf({ verb, activity, agentKey, ...filter }: StatementFilter) {
  const isNamed = activity !== undefined || agentKey !== undefined;
  return {
    driver: activity !== undefined ? "statement_activities" : "statement_agents",
    isNamed,
    conditions: [
      ...(activity !== undefined ? [sql`driver.activity_key = ${keyOf(activity)} and driver.is_main`] : []),
      ...(activity !== undefined && verb !== undefined ? [sql`driver.verb_key = ${keyOf(verb)}`] : []),
      ...(activity === undefined && agentKey !== undefined
        ? [sql`driver.agent_key = ${agentKey} and driver.is_main`]
        : []),
      ...(activity !== undefined && agentKey !== undefined
        ? [
            sql`exists (
              select from statement_agents named
              where named.company_id = statements.company_id
                and named.agent_key = ${agentKey}
                and named.stored_at = statements.stored_at
                and named.position = statements.position
                and named.is_main
            )`,
          ]
        : []),
      ...(verb !== undefined ? [sql`statements.verb_key = ${keyOf(verb)}`] : []),
      ...(filter.userId ? [sql`statements.user_id = ${filter.userId}`] : []),
      ...(filter.clientId ? [sql`statements.client_id = ${filter.clientId}`] : []),
      ...(filter.sessionId ? [sql`statements.session_id = ${filter.sessionId}`] : []),
      ...(filter.from ? [sql`statements.stored_at >= ${filter.from}::date::timestamp at time zone 'UTC'`] : []),
      ...(filter.to ? [sql`statements.stored_at < (${filter.to}::date + 1)::timestamp at time zone 'UTC'`] : []),
      ...(filter.voided ? [sql`statements.is_voided = ${filter.voided === "yes"}`] : []),
    ],
  };
}

/**
 * SQL: `position` and `stored_at` of the newest `limit` statements that match. Searched company by company, because
 * indexes start with the company; persons, keys and sessions have indexes of their own.
 */
function findPositions({ user }: Ctx<User>, filter: StatementFilter, limit: number, isOrdered: boolean) {
  const { driver, isNamed, conditions } = conditionsOf(filter);
  const table = sql.ref(isNamed ? "driver" : "statements");
  const order = isOrdered ? sql`order by ${table}.stored_at desc, ${table}.position desc` : sql``;
  const tables = isNamed
    ? sql`${sql.table(driver)} driver join statements on statements.position = driver.position`
    : sql`statements`;
  const ofCompany = filter.companyId ? [sql`companies.id = ${filter.companyId}`] : [];
  const isPersonal = filter.userId ?? filter.clientId ?? filter.sessionId;
  if (isPersonal && !isNamed)
    return sql`
      select statements.position, statements.stored_at
      from statements
      join companies on companies.id = statements.company_id
      where ${and([inScope(user, { company: "companies.id" }), ...ofCompany, ...conditions])}
      ${order}
      limit ${limit}`;
  return sql`
    select found.position, found.stored_at
    from companies
    cross join lateral (
      select ${table}.position, ${table}.stored_at
      from ${tables}
      where ${and([sql`${table}.company_id = companies.id`, ...conditions])}
      ${order}
      limit ${limit}
    ) found
    where ${and([inScope(user, { company: "companies.id" }), ...ofCompany])}
    ${isOrdered ? sql`order by found.stored_at desc, found.position desc` : sql``}
    limit ${limit}`;
}

export async function listEntries(ctx: Ctx<User>, { page, size, ...filter }: QueryOf<typeof statements.list>) {
  const { rows: counted } = await sql<{ counted: number }>`
    select count(*) as counted
    from (${findPositions(ctx, filter, MAX_COUNTED + 1, false)}) matching`.execute(ctx.db);
  const offset = Math.min((page - 1) * size, MAX_COUNTED);
  const { rows } = await sql<{ position: number }>`
    select position
    from (${findPositions(ctx, filter, offset + size, true)}) matching
    order by stored_at desc, position desc
    offset ${offset}
    limit ${size}`.execute(ctx.db);
  const items = await readEntries(
    ctx,
    rows.map(({ position }) => position),
  );
  return { items, ...upToMax(counted[0]?.counted ?? 0) };
}

type Row = Omit<StatementEntry, "actor" | "verb" | "object" | "result" | "client" | "session"> & {
  learner: string | null;
  actor: Actor;
  verb: Verb;
  object: StatementObject;
  result: Result | null;
  clientId: string | null;
  clientName: string | null;
  sessionId: string | null;
  course: string | null;
  definition: Definition | null;
};

/** The statements at these positions, newest first; reads only the parts that a list shows. */
export async function readEntries(
  { db, user }: { db: Db; user: User },
  positions: number[],
): Promise<StatementEntry[]> {
  const { rows } = await sql<Row>`
    select
      statements.position,
      statements.id,
      statements.stored_at as "storedAt",
      statements.happened_at as "happenedAt",
      statements.company_id as "companyId",
      companies.name as company,
      statements.user_id as "userId",
      left(coalesce(nullif(users.name, ''), users.email), ${MAX_NAME_CHARS}::int) as learner,
      (statements.statement -> 'actor') - 'member' as actor,
      statements.statement -> 'verb' as verb,
      case statements.statement -> 'object' ->> 'objectType'
        when 'SubStatement' then '{"objectType": "SubStatement"}'
        else (statements.statement -> 'object') - 'member' - 'definition' || jsonb_build_object(
          'definition',
          jsonb_build_object('name', coalesce(statements.statement -> 'object' -> 'definition' -> 'name', '{}'))
        )
      end as object,
      (${statementFor(user)} -> 'result') - 'response' - 'extensions' as result,
      statement_clients.id as "clientId",
      statement_clients.name as "clientName",
      sessions.id as "sessionId",
      courses.title as course,
      statements.is_voided as "isVoided",
      statements.is_voiding as "isVoiding"
    from statements
    join companies on companies.id = statements.company_id
    left join users on users.id = statements.user_id
    left join statement_clients on statement_clients.id = statements.client_id
    left join sessions on sessions.id = statements.session_id
    left join attempts on attempts.id = sessions.attempt_id
    left join courses on courses.id = attempts.course_id
    where statements.position = any(${positions}::bigint[])
    order by statements.stored_at desc, statements.position desc`.execute(db);
  const known = await findNames(db, rows);
  return rows.map((row) => {
    const { learner, actor, verb, object, result, clientId, clientName, sessionId, course, ...facts } = row;
    const definition = isActivity(object) ? known.get(`${row.companyId} ${keyOf(object.id)}`) : undefined;
    return {
      ...facts,
      actor: nameActor(actor, learner),
      verb: { id: verb.id, name: nameVerb(verb) },
      object: nameObject(object, definition),
      result: readResult(result ?? undefined),
      client: clientId && clientName !== null ? { id: clientId, name: clientName } : null,
      session: sessionId && course !== null ? { id: sessionId, course } : null,
    };
  });
}

/** Stored definitions of the activities in these rows, by company and key. */
async function findNames(db: Db, rows: Row[]) {
  const keys = [...new Set(rows.flatMap(({ object }) => (isActivity(object) ? [keyOf(object.id)] : [])))];
  const companyIds = [...new Set(rows.map(({ companyId }) => companyId))];
  const found = await db
    .selectFrom("activityDefinitions")
    .where(isOneOf("companyId", companyIds))
    .where(isOneOf("activityKey", keys))
    .select(["companyId", "activityKey", "definition"])
    .execute();
  return new Map(found.map((one) => [`${one.companyId} ${one.activityKey}`, one.definition as Activity["definition"]]));
}

type StoredVerb = { id: string; display: Verb["display"] };
const MAX_VERBS = 200;

/** The verbs in the statements of a company, found by jumps through the index of verbs. */
export async function listVerbs({ db, user }: Ctx<User>, companyId: string) {
  const { rows } = await sql<StoredVerb>`
    with recursive company as (
      select id
      from companies
      where id = ${companyId}
        and ${inScope(user, { company: "companies.id" })}
    ), verbs as (
      (
        select verb_key, position, 1 as number
        from statements
        where company_id = (select id from company)
        order by verb_key
        limit 1
      )
      union all
      select next.verb_key, next.position, verbs.number + 1
      from verbs
      cross join lateral (
        select verb_key, position
        from statements
        where company_id = (select id from company)
          and verb_key > verbs.verb_key
        order by verb_key
        limit 1
      ) next
      where verbs.number < ${MAX_VERBS}
    )
    select statements.verb as id, statements.statement -> 'verb' -> 'display' as display
    from verbs
    join statements on statements.position = verbs.position`.execute(db);
  const items = rows.map(({ id, display }) => ({ id, name: nameVerb({ id, ...(display && { display }) }) || id }));
  return { items: items.toSorted((a, b) => a.name.localeCompare(b.name, "en")) };
}
