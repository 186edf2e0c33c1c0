import { sql } from "kysely";
import { nameColumns } from "#server/audit/service.ts";
import type { Db } from "#server/core/database/db.ts";
import { findElsewhere, isOneOf, MAX_COUNTED, readPage, searchFor, upToMax } from "#server/core/database/listing.ts";
import { isShown } from "#server/core/database/measured.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { accountAction, auditAction, type AuditDetails, type audit } from "#shared/audit/audit.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// The audit log as admins read it, and what each person reads of it

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
  const { items, total } = await readPage(query, {
    // The matches of a search are counted while they are sorted: reading the log by time for a page would be slower.
    ids: q ? ids.select(sql<number>`count(*) over ()::int`.as("total")) : ids,
    total: db
      .selectFrom(
        rows
          .select("auditEntries.id")
          .limit(MAX_COUNTED + 1)
          .as("matching"),
      )
      .select((e) => e.fn.countAll<number>().as("total")),
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
  return { items, ...upToMax(total) };
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
