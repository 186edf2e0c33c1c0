import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Place } from "#server/statements/cursor.ts";
import type { StatementFilter } from "#server/statements/filters.ts";
import type { RecordStoreClient } from "#server/statements/launches.ts";
import { statementFor } from "#server/statements/shownStatement.ts";
import { STATEMENT_LOCK } from "#server/statements/store.ts";
import { storeLimits } from "#shared/statements/statements.ts";

/** A stored statement as text; most answers send it unchanged. */
export type StatementRow = Place & { text: string };

/**
 * The time up to which all stored statements can be read: now, or the start of the oldest transaction that still stores
 * some. Call before reading statements.
 */
export async function readConsistentThrough(db: Db) {
  const { rows } = await sql<{ at: string }>`
    select least(now(), (
      select min(activity.xact_start)
      from pg_locks locks
      join pg_stat_activity activity on activity.pid = locks.pid
      where locks.locktype = 'advisory'
        and locks.objsubid = 1
        and locks.classid = 0
        and locks.objid = ${STATEMENT_LOCK}::bigint::oid
    )) as at`.execute(db);
  return rows[0]?.at as string;
}

/**
 * SQL: statements that the caller may read. A key reads those of its company or only its own; a launch, those of its
 * attempt.
 */
function isReadable(client: RecordStoreClient, table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  if (client.kind === "launch")
    return sql<boolean>`${column("company_id")} = ${client.companyId}
      and ${column("user_id")} = ${client.userId}
      and ${column("attempt_id")} = ${client.attemptId}`;
  const readsAll = ["all", "all/read", "statements/read"].some((scope) => client.scopes.includes(scope as "all"));
  return sql<boolean>`${column("company_id")} = ${client.companyId}
    and ${readsAll ? sql`true` : sql`${column("client_id")} = ${client.clientId}`}`;
}

/** SQL: a statement as text. The system that sent it and the course get it as it was sent, others what they may see. */
const textFor = (client: RecordStoreClient) =>
  client.kind === "launch"
    ? sql`statements.statement::text`
    : sql`(case
        when statements.client_id = ${client.clientId} then statements.statement
        else ${statementFor(null)}
      end)::text`;

export async function findStatement(db: Db, client: RecordStoreClient, id: string, isVoided: boolean) {
  const { rows } = await sql<StatementRow>`
    select statements.stored_at as "storedAt", statements.position, ${textFor(client)} as text
    from statements
    where ${isReadable(client, "statements")}
      and statements.id = ${id}
      and statements.is_voided = ${isVoided}`.execute(db);
  return rows[0] ?? null;
}

/**
 * A page of statements by time of storing. Found by agent, by activity or directly, each in the order of an index. Adds
 * statements that refer to a matching one, whenever that was stored. Ends early if the statements are long.
 */
export async function listStatements(db: Db, client: RecordStoreClient, filter: StatementFilter, after: Place | null) {
  const { companyId } = client;
  const { agentKey, activityKey, verbKey, registration, limit, ascending } = filter;
  const order = (table: string) => {
    const direction = ascending ? sql`asc` : sql`desc`;
    return sql`${sql.ref(`${table}.stored_at`)} ${direction}, ${sql.ref(`${table}.position`)} ${direction}`;
  };
  const inRange = (table: string) => {
    const storedAt = sql.ref(`${table}.stored_at`);
    const conditions = [
      ...(filter.since ? [sql`${storedAt} > ${filter.since}`] : []),
      ...(filter.until ? [sql`${storedAt} <= ${filter.until}`] : []),
      ...(after
        ? [
            sql`(${storedAt}, ${sql.ref(`${table}.position`)})
              ${ascending ? sql`>` : sql`<`} (${after.storedAt}::timestamptz, ${after.position}::bigint)`,
          ]
        : []),
    ];
    return and(conditions);
  };
  const hasAgent = (table: string) =>
    and([
      sql`${sql.ref(`${table}.company_id`)} = ${companyId}`,
      sql`${sql.ref(`${table}.agent_key`)} = ${agentKey}`,
      ...(filter.relatedAgents ? [] : [sql`${sql.ref(`${table}.is_main`)}`]),
    ]);
  const hasActivity = (table: string) =>
    and([
      sql`${sql.ref(`${table}.company_id`)} = ${companyId}`,
      sql`${sql.ref(`${table}.activity_key`)} = ${activityKey}`,
      ...(verbKey ? [sql`${sql.ref(`${table}.verb_key`)} = ${verbKey}`] : []),
      ...(filter.relatedActivities ? [] : [sql`${sql.ref(`${table}.is_main`)}`]),
    ]);
  const ofRow = [
    ...(verbKey ? [sql`statements.verb_key = ${verbKey}`] : []),
    ...(registration ? [sql`statements.registration = ${registration}`] : []),
  ];
  const named = (table: "agents" | "activities") =>
    table === "agents"
      ? sql`exists (
          select from statement_agents named
          where ${hasAgent("named")} and named.position = statements.position and named.stored_at = statements.stored_at
        )`
      : sql`exists (
          select from statement_activities named
          where ${hasActivity("named")}
            and named.position = statements.position
            and named.stored_at = statements.stored_at
        )`;
  const rest = [isReadable(client, "statements"), ...ofRow];
  const isDirect = and([...rest, sql`not statements.is_voided`]);
  const find = (driver: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    select driver.stored_at, driver.position
    from ${driver} driver
    join statements on statements.position = driver.position
    where ${condition} and ${inRange("driver")} and ${isDirect}
    order by ${order("driver")}
    limit ${limit + 1}`;
  const findDirect = () => {
    if (agentKey)
      return find(sql`statement_agents`, and([hasAgent("driver"), ...(activityKey ? [named("activities")] : [])]));
    if (activityKey) return find(sql`statement_activities`, hasActivity("driver"));
    return sql`
      select statements.stored_at, statements.position
      from statements
      where ${inRange("statements")} and ${isDirect}
      order by ${order("statements")}
      limit ${limit + 1}`;
  };
  const byReference = sql`
    select driver.stored_at, driver.position
    from statement_references driver
    join statements origin on origin.position = driver.position
    join statements on statements.position = driver.target
    where driver.company_id = ${companyId}
      and ${and([inRange("driver"), isReadable(client, "origin"), sql`not origin.is_voided`, ...ofRow])}
      and ${agentKey ? named("agents") : sql`true`}
      and ${activityKey ? named("activities") : sql`true`}
    order by ${order("driver")}
    limit ${limit + 1}`;
  const isFiltered = agentKey ?? activityKey ?? verbKey ?? registration;
  const { rows } = await sql<StatementRow>`
    with found as (
      select * from (${findDirect()}) as direct
      ${isFiltered ? sql`union select * from (${byReference}) as referring` : sql``}
    ), page as (
      select found.stored_at, found.position, ${textFor(client)} as text
      from found
      join statements on statements.position = found.position
      order by ${order("found")}
      limit ${limit + 1}
    ), sized as (
      select page.*, sum(octet_length(text)) over (order by ${order("page")}) - octet_length(text) as before
      from page
    )
    select
      sized.stored_at as "storedAt",
      sized.position,
      sized.text
    from sized
    where sized.before < ${storeLimits.pageBytes}
    order by ${order("sized")}`.execute(db);
  // There is more if one row too many came, or long statements filled the page.
  const bytes = rows.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const items = rows.slice(0, limit);
  const hasMore = rows.length > limit || bytes >= storeLimits.pageBytes;
  const last = items.at(-1);
  return { items, next: hasMore && last ? { storedAt: last.storedAt, position: last.position } : null };
}

const and = (conditions: RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;
