import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, isOneOf, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown } from "#server/core/database/measured.ts";
import {
  type AccountAction,
  accountAction,
  auditAction,
  type AUDITOR,
  type AuditAction,
  type AuditDetails,
  DIRECTORY,
  NOBODY,
  type audit,
} from "#shared/audit/audit.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { isAdmin, leadsPeople, type User } from "#shared/core/users.ts";

/** The column with the name of each kind of thing that actions concern. */
const nameColumns = {
  chatbots: "name",
  documents: "title",
  prompts: "name",
  buttonPrompts: "label",
  variables: "label",
  connectors: "name",
  webhooks: "name",
  analysisRuns: "title",
  fields: "name",
  groups: "name",
  enrolmentRules: "name",
  paths: "title",
} as const;
type Named = { [table in keyof typeof nameColumns]?: string };

export type AuditInput = {
  action: AuditAction;
  /** The thing concerned by its table and id: `{ chatbots: id }`. */
  object?: Named;
  /** People concerned: one entry each, so that everyone finds the actions concerning them. */
  people?: string[];
  companyId?: string | null;
  courseId?: string | null;
  /** Counts, field names and states. Never content or names. */
  details?: AuditDetails;
};

/** Who does it: a person, an auditor, or the directory of a company, which is named in the details. */
type Actor =
  Pick<User, "id" | "role" | "apiKey"> | { id: null; role: typeof DIRECTORY | typeof AUDITOR; apiKey?: undefined };

/** The number of entries in a statement, which can have 65,535 parameters. */
const BATCH = 5000;

/**
 * Records an action in the caller's transaction, so that both are committed together. Entries are append-only: the
 * database rejects changes.
 */
export async function record(
  db: Db,
  { user }: { user: Actor },
  { action, object, people, companyId = null, courseId = null, details = {} }: AuditInput,
) {
  if (people && people.length === 0) return;
  const entry = {
    action,
    actorId: user.id,
    actorRole: user.role,
    companyId,
    courseId,
    details: JSON.stringify({ ...objectOf(object), ...details, ...(user.apiKey && { apiKey: user.apiKey.prefix }) }),
  };
  const subjects = people ?? [null];
  for (let at = 0; at < subjects.length; at += BATCH)
    await db
      .insertInto("auditEntries")
      .values(subjects.slice(at, at + BATCH).map((personId) => ({ ...entry, personId })))
      .execute();
}

function objectOf(object: Named | undefined): AuditDetails {
  const [table, id] = Object.entries(object ?? {})[0] ?? [];
  return table && id ? { objectKind: table, objectId: id } : {};
}

/** Records an action on an account by its owner or, if `by` is nobody, by an unknown person who tried to log in. */
export async function recordAccountAction(
  db: Db,
  userId: string,
  action: AccountAction,
  details: AuditDetails = {},
  by: "self" | "nobody" = "self",
) {
  const isSelf = sql.lit(by === "self");
  await sql`
    insert into audit_entries (action, actor_id, actor_role, person_id, company_id, details)
    select
      ${action},
      case when ${isSelf} then id end,
      case when ${isSelf} then role else ${NOBODY} end,
      id,
      company_id,
      ${JSON.stringify(details)}::jsonb
    from users
    where id = ${userId}`.execute(db);
}

/** Repeated views of the same record within this time are recorded once. */
const SAME_VIEW = "10 minutes";

type ViewAction =
  | "reports.open"
  | "reports.answers"
  | "reports.blockPeople"
  | "reports.session"
  | "reports.recording"
  | "conversations.open"
  | "conversations.replay"
  | "team.open";
type Viewed = { companyId?: string | null; courseId?: string | null; conversationId?: string };

/**
 * Records that an admin or a manager viewed the records of another person; `personId` is null for a person without an
 * account. A page sends several requests at the same time: the later ones wait for the first one and find its entry.
 */
export async function recordView(
  ctx: Ctx<User>,
  action: ViewAction,
  personId: string | null,
  { conversationId, ...about }: Viewed = {},
) {
  if (ctx.user.id === personId || !(isAdmin(ctx.user) || leadsPeople(ctx.user))) return;
  const isRecorded = async (db: Db) =>
    (await db
      .selectFrom("auditEntries")
      .where("actorId", "=", ctx.user.id)
      .where("personId", personId === null ? "is" : "=", personId)
      .where("action", "=", action)
      .where("courseId", "is not distinct from", about.courseId ?? null)
      .where(sql<boolean>`details->>'conversation' is not distinct from ${conversationId ?? null}`)
      .where("at", ">", sql<string>`clock_timestamp() - ${SAME_VIEW}::interval`)
      .select("id")
      .executeTakeFirst()) !== undefined;
  if (await isRecorded(ctx.db)) return;
  const details: AuditDetails = conversationId ? { conversation: conversationId } : {};
  await inTransaction(ctx.db, async (tx) => {
    const view = ["view", ctx.user.id, action, personId, about.courseId, conversationId].join(" ");
    await sql`select pg_advisory_xact_lock(hashtextextended(${view}, 0))`.execute(tx);
    if (await isRecorded(tx)) return;
    await record(tx, ctx, { action, ...(personId && { people: [personId] }), ...about, details });
  });
}

const entries = (db: Db) =>
  db
    .selectFrom("auditEntries")
    .leftJoin("users as actors", "actors.id", "auditEntries.actorId")
    .leftJoin("users as people", "people.id", "auditEntries.personId")
    .leftJoin("companies", "companies.id", "auditEntries.companyId")
    .leftJoin("courses", "courses.id", "auditEntries.courseId");

const nameOf = (table: "actors" | "people") =>
  sql<string | null>`coalesce(nullif(${sql.ref(`${table}.name`)}, ''), ${sql.ref(`${table}.email`)})`;

type Kind = "administration" | "accounts";
const accountActions: string[] = accountAction.options;
/** The actions of a kind, listed by name so that the index on `action` can be used. */
const actionsOf = (kind: Kind) =>
  auditAction.options.filter((action) => accountActions.includes(action) === (kind === "accounts"));

/** The people, companies and courses that match a search: their tables are much smaller than the log. */
const findSearched = async (db: Db, q: string) => [
  ...(await findElsewhere(q, ["auditEntries.personId", "auditEntries.actorId"], (word) =>
    db
      .selectFrom("users")
      .where(searchFor(word, ["users.name", "users.email"]))
      .select("id"),
  )),
  ...(await findElsewhere(q, ["auditEntries.companyId"], (word) =>
    db
      .selectFrom("companies")
      .where(searchFor(word, ["companies.name"]))
      .select("id"),
  )),
  ...(await findElsewhere(q, ["auditEntries.courseId"], (word) =>
    db
      .selectFrom("courses")
      .where(searchFor(word, ["courses.title"]))
      .select("id"),
  )),
];

/** A column of the event whose slug is in the details of an entry. */
const eventColumn = (column: "title" | "slug") => sql<string | null>`(
    select ${sql.ref(`events.${column}`)}
    from event_slugs
    join events on events.id = event_slugs.event_id
    where event_slugs.slug = details->>'event'
  )`;
/** The details with the current title of the event instead of its slug, which stays if the event no longer exists. */
const detailsWithTitle = sql<AuditDetails>`case
    when details ? 'event'
    then details || jsonb_build_object('event', coalesce(${eventColumn("title")}, details->>'event'))
    else details
  end`;

/** The current name of the thing that an entry concerns; null if it no longer exists. */
const objectName = sql<string | null>`case details->>'objectKind'
    ${sql.join(
      Object.entries(nameColumns).map(
        ([table, column]) => sql`when ${sql.lit(table)} then (
          select ${sql.ref(column)}::text
          from ${sql.table(table)}
          where id = (details->>'objectId')::uuid)`,
      ),
      sql` `,
    )}
  end`;

export async function listAudit({ db, user }: Ctx<User>, query: QueryOf<typeof audit.list>) {
  let rows = db.selectFrom("auditEntries").where(inScope(user, { company: "auditEntries.companyId" }));
  const { action, kind, actorId, personId, companyId, from, to, days, q } = query;
  // A login tells when a person was last active.
  const showsLogins = isShown(user, "lastActivity", "auditEntries.companyId");
  rows = rows.where(sql<boolean>`(audit_entries.action <> 'account.signIn' or ${showsLogins})`);
  if (action) rows = rows.where("auditEntries.action", "=", action);
  if (kind) rows = rows.where("auditEntries.action", "in", actionsOf(kind));
  if (actorId) rows = rows.where("auditEntries.actorId", "=", actorId);
  if (personId)
    rows = rows.where((e) =>
      e.or([e("auditEntries.personId", "=", personId), e("auditEntries.actorId", "=", personId)]),
    );
  if (companyId) rows = rows.where("auditEntries.companyId", "=", companyId);
  if (from) rows = rows.where("at", ">=", sql<string>`${from}::date::timestamp at time zone 'UTC'`);
  if (to) rows = rows.where("at", "<", sql<string>`(${to}::date + 1)::timestamp at time zone 'UTC'`);
  if (days) rows = rows.where("at", ">", sql<string>`now() - make_interval(days => ${days})`);
  if (q) rows = rows.where(searchFor(q, [], await findSearched(db, q)));
  const direction = query.sort === "at" ? "asc" : "desc";
  const ids = rows.orderBy("auditEntries.at", direction).orderBy("auditEntries.id").select("auditEntries.id");
  return readPage(query, {
    // The matches of a search are counted while they are sorted: reading the log by time for a page would be slower.
    ids: q ? ids.select(sql<number>`count(*) over ()::int`.as("total")) : ids,
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) =>
      entries(db)
        .where(isOneOf("auditEntries.id", ids))
        .select([
          "auditEntries.id",
          "at",
          "action",
          "actorId",
          nameOf("actors").as("actor"),
          "actorRole",
          "personId",
          nameOf("people").as("person"),
          "auditEntries.companyId",
          "companies.name as company",
          "courseId",
          "courses.title as course",
          eventColumn("slug").as("eventSlug"),
          objectName.as("object"),
          detailsWithTitle.as("details"),
        ])
        .execute(),
  });
}

/** Actions concerning the signed-in person. */
export async function listOwnAudit({ db, user }: Ctx<User>, query: QueryOf<typeof audit.mine>) {
  let rows = entries(db).where("personId", "=", user.id);
  if (query.kind) rows = rows.where("auditEntries.action", "in", actionsOf(query.kind));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .select([
      "auditEntries.id",
      "at",
      "action",
      nameOf("actors").as("actor"),
      "actorRole",
      "courses.title as course",
      detailsWithTitle.as("details"),
      sql<boolean>`actor_id is not distinct from person_id`.as("isSelf"),
    ])
    .orderBy("at", "desc")
    .orderBy("auditEntries.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}
