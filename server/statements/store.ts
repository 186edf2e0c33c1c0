import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Config } from "#server/core/config.ts";
import { Problem } from "#server/core/http/problem.ts";
import { defineActivities } from "#server/statements/definitions.ts";
import { findLearners } from "#server/statements/learners.ts";
import { keyOf } from "#server/statements/identifiers.ts";
import { isActivity, nameActivities, nameAgents, type Named } from "#server/statements/named.ts";
import { isSameStatement } from "#server/statements/sameStatement.ts";
import { toUtc } from "#server/statements/validation/fields.ts";
import type { XapiVersion } from "#server/statements/versions.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import { type Actor, type Statement, type StoredStatement, VOIDED } from "#shared/statements/xapi.ts";

/** Transactions that store statements share this advisory lock, so that readers can find them. */
export const STATEMENT_LOCK = 1_970_300_001;
/** Statements through which a reference is followed. */
const MAX_REFERENCES = 10;

export type StoreOptions = {
  authority: Actor;
  version?: XapiVersion;
  /** The learner of the statements; without it, learners are found by actor. */
  userId?: string;
  sessionId?: string;
  attemptId?: string;
  clientId?: string;
  /** Attachments in the request, by SHA-2 hash. */
  files?: ReadonlyMap<string, Buffer>;
  /** Whether their activity definitions are stored; false for courses in a learner's browser. */
  defines?: boolean;
  before?: (statements: Statement[]) => Promise<void>;
  after?: (statements: StoredStatement[]) => Promise<void>;
};

/** Another transaction has stored one of the ids at the same time: repeat the transaction. */
export class StoredMeanwhile extends Error {}

/**
 * Stores checked statements (`checkStatement`) and returns all ids in order. Repetitions are left out; 409 if a
 * statement differs from the stored one with its id.
 */
export async function addStatements(
  tx: Tx,
  config: Pick<Config, "publicUrl">,
  companyId: string,
  sent: Statement[],
  options: StoreOptions,
): Promise<string[]> {
  const all = sent.map((statement) => ({ ...statement, id: statement.id?.toLowerCase() ?? randomUUID() }));
  const ids = all.map(({ id }) => id);
  const { now, known, isAwaited } = await begin(tx, companyId, ids);
  const fresh = all.filter((statement) => {
    const stored = known.get(statement.id);
    if (stored && !isSameStatement(statement, stored))
      throw new Problem(409, "statements.conflict", { values: { id: statement.id } });
    return !stored;
  });
  if (fresh.length === 0) return ids;
  await options.before?.(fresh);
  const statements = fresh.map((statement) => complete(statement, now, options));
  await insert(tx, config, companyId, statements, options);
  if (options.defines) await defineActivities(tx, companyId, statements);
  const voided = statements.flatMap(({ verb, object }) =>
    verb.id === VOIDED && object.objectType === "StatementRef" ? [object.id] : [],
  );
  if (voided.length > 0 || isAwaited) await voidStatements(tx, companyId, ids, voided, options);
  if (isAwaited || statements.some(({ object }) => object.objectType === "StatementRef"))
    await linkReferences(tx, companyId, ids);
  await options.after?.(statements);
  return ids;
}

/** The time of storing, the statements already stored, and whether others refer to one of these ids. */
async function begin(tx: Tx, companyId: string, ids: string[]) {
  const { rows } = await sql<{ now: string; isAwaited: boolean; id: string | null; statement: StoredStatement | null }>`
    with held as materialized (
      select pg_advisory_xact_lock_shared(${STATEMENT_LOCK}::bigint)
    ), clock as materialized (
      select
        clock_timestamp() as now,
        exists (
          select from statements
          where company_id = ${companyId}
            and object_statement = any(${ids}::uuid[])
        ) as "isAwaited"
      from held
    )
    select clock.now, clock."isAwaited", statements.id, statements.statement
    from clock
    left join statements on statements.company_id = ${companyId}
      and statements.id = any(${ids}::uuid[])`.execute(tx);
  const known = new Map(rows.flatMap(({ id, statement }) => (id && statement ? [[id, statement] as const] : [])));
  return { now: rows[0]?.now as string, isAwaited: rows[0]?.isAwaited ?? false, known };
}

/** Adds what the store sets. Times of version 2.0 are in UTC. */
function complete(
  { id, timestamp, ...statement }: Statement & { id: string },
  now: string,
  { authority, version = "1.0.3" }: StoreOptions,
): StoredStatement {
  const isCurrent = version === "2.0.0";
  return {
    ...statement,
    id,
    timestamp: isCurrent ? inUtc(timestamp ?? now) : (timestamp ?? now),
    stored: now,
    authority,
    version: statement.version ?? (isCurrent ? "2.0.0" : "1.0.0"),
  };
}

const inUtc = (time: string) => (/Z$/i.test(time) ? time : (toUtc(time) as string));

async function insert(
  tx: Tx,
  config: Pick<Config, "publicUrl">,
  companyId: string,
  statements: StoredStatement[],
  { userId, sessionId, attemptId, clientId, files }: StoreOptions,
) {
  const learners = userId ? new Map<string, string>() : await findLearners(tx, config, companyId, statements);
  const agents = listNamed(statements, nameAgents);
  const activities = listNamed(statements, nameActivities);
  const attached = statements.flatMap(({ id, attachments = [] }) =>
    [...new Set(attachments.map(({ sha2 }) => sha2.toLowerCase()))].flatMap((hash) =>
      files?.has(hash) ? [{ id, hash }] : [],
    ),
  );
  for (const hash of new Set(attached.map((one) => one.hash)))
    await tx
      .insertInto("statementFiles")
      .values({ companyId, hash, bytes: files?.get(hash) as Buffer })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const list = <T>(read: (statement: StoredStatement) => T) => statements.map(read);
  const { rows } = await sql<{ count: number }>`
    with added as (
      insert into statements (
        company_id, id, stored_at, happened_at, user_id, client_id, session_id, attempt_id, registration, verb,
        verb_key, activity, object_statement, is_voiding, statement
      )
      select
        ${companyId}::uuid, sent.id, ${statements[0]?.stored}::timestamptz, sent.happened_at, sent.user_id,
        ${clientId ?? null}::uuid, ${sessionId ?? null}::uuid, ${attemptId ?? null}::uuid, sent.registration,
        sent.verb, sent.verb_key, sent.activity, sent.object_statement, sent.is_voiding, sent.statement
      from unnest(
        ${list(({ id }) => id)}::uuid[],
        ${list(({ timestamp }) => toUtc(timestamp))}::timestamptz[],
        ${list(({ id }) => userId ?? learners.get(id) ?? null)}::uuid[],
        ${list(({ context }) => context?.registration ?? null)}::uuid[],
        ${list(({ verb }) => verb.id)}::text[],
        ${list(({ verb }) => keyOf(verb.id))}::uuid[],
        ${list(({ object }) => (isActivity(object) ? object.id : null))}::text[],
        ${list(({ object }) => (object.objectType === "StatementRef" ? object.id : null))}::uuid[],
        ${list(({ verb }) => verb.id === VOIDED)}::boolean[],
        ${list(toText)}::jsonb[]
      ) as sent (
        id, happened_at, user_id, registration, verb, verb_key, activity, object_statement, is_voiding, statement
      )
      on conflict (company_id, id) do nothing
      returning id, position, stored_at, verb_key
    ), agents as (
      insert into statement_agents (company_id, agent_key, stored_at, position, is_main)
      select ${companyId}::uuid, named.key, added.stored_at, added.position, named.is_main
      from unnest(${agents.ids}::uuid[], ${agents.keys}::uuid[], ${agents.mains}::boolean[]) as named (id, key, is_main)
      join added on added.id = named.id
    ), activities as (
      insert into statement_activities (company_id, activity_key, stored_at, position, is_main, verb_key)
      select ${companyId}::uuid, named.key, added.stored_at, added.position, named.is_main, added.verb_key
      from unnest(${activities.ids}::uuid[], ${activities.keys}::uuid[], ${activities.mains}::boolean[])
        as named (id, key, is_main)
      join added on added.id = named.id
    ), attachments as (
      insert into statement_attachments (company_id, hash, position)
      select ${companyId}::uuid, attached.hash, added.position
      from unnest(${attached.map(({ id }) => id)}::uuid[], ${attached.map(({ hash }) => hash)}::text[])
        as attached (id, hash)
      join added on added.id = attached.id
    )
    select count(*) as count from added`.execute(tx);
  if (rows[0]?.count !== statements.length) throw new StoredMeanwhile();
}

function toText(statement: StoredStatement) {
  const text = JSON.stringify(statement);
  if (Buffer.byteLength(text) > storeLimits.statement) throw new Problem(413, "core.tooLarge");
  return text;
}

function listNamed(statements: StoredStatement[], read: (statement: Statement) => Named) {
  const entries = statements.flatMap((statement) =>
    [...read(statement)].map(([key, isMain]) => ({ id: statement.id, key, isMain })),
  );
  return {
    ids: entries.map(({ id }) => id),
    keys: entries.map(({ key }) => key),
    mains: entries.map(({ isMain }) => isMain),
  };
}

/**
 * Voids the targets of new statements, and new statements that an earlier one has voided in advance. A launch voids
 * only statements of its learner. A voiding statement is never voided.
 */
const voidStatements = (
  tx: Tx,
  companyId: string,
  ids: string[],
  targets: string[],
  { sessionId, userId }: StoreOptions,
) =>
  sql`
    update statements set is_voided = true
    where company_id = ${companyId}
      and not is_voiding
      and not is_voided
      and ${sessionId ? sql`user_id = ${userId ?? null}` : sql`true`}
      and (
        id = any(${targets}::uuid[])
        or id = any(${ids}::uuid[]) and exists (
          select from statements voiding
          where voiding.company_id = ${companyId}
            and voiding.object_statement = statements.id
            and voiding.is_voiding
            and (voiding.session_id is null or voiding.user_id = statements.user_id)
        )
      )`.execute(tx);

/** Resolves the references of new statements, and earlier references to them. */
const linkReferences = (tx: Tx, companyId: string, ids: string[]) =>
  sql`
    with recursive found as (
      select origin.stored_at, origin.position, target.position as target, target.object_statement as next, 1 as depth
      from statements origin
      join statements target on target.company_id = origin.company_id
        and target.id = origin.object_statement
      where origin.company_id = ${companyId}
        and (origin.id = any(${ids}::uuid[]) or origin.object_statement = any(${ids}::uuid[]))
      union all
      select found.stored_at, found.position, target.position, target.object_statement, found.depth + 1
      from found
      join statements target on target.company_id = ${companyId}
        and target.id = found.next
      where found.depth < ${MAX_REFERENCES}
    )
    insert into statement_references (company_id, stored_at, position, target)
    select distinct ${companyId}::uuid, stored_at, position, target
    from found
    on conflict do nothing`.execute(tx);
