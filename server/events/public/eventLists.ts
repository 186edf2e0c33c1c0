import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { EVENT_SCOPE } from "#server/events/eventChanges.ts";
import { startOfDay } from "#server/events/eventTimes.ts";
import { adminRows, LIST_COLUMNS, publicRows } from "#server/events/views.ts";
import { isListedFor } from "#server/events/public/visibility.ts";
import type { events } from "#shared/events/events.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Events for visitors: upcoming ones, soonest first; past ones, latest first; or those between two days in the
 * visitor's time zone.
 */
export async function listEvents(ctx: Ctx, query: QueryOf<typeof events.list>) {
  const { db } = ctx;
  const listed = db.selectFrom("events").where(isListedFor(ctx.user));
  const now = new Date().toISOString();
  let rows = listed;
  if (query.from || query.to) {
    if (query.from) rows = rows.where("endsAt", ">", startOfDay(query.from, query.timezone));
    if (query.to) rows = rows.where("startsAt", "<", startOfDay(query.to, query.timezone));
  } else rows = query.when === "past" ? rows.where("endsAt", "<=", now) : rows.where("endsAt", ">", now);
  if (query.takesPlace) rows = rows.where("status", "!=", "cancelled");
  if (query.category) rows = rows.where("category", "=", query.category);
  if (query.language) rows = rows.where("language", "=", query.language);
  if (query.mode) rows = rows.where("attendanceMode", "=", query.mode);
  if (query.q) rows = rows.where(searchFor(query.q, ["events.search"]));
  const isPast = query.when === "past" && !query.from && !query.to;
  const [{ total }, page, facets] = await Promise.all([
    rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
    rows
      .select(LIST_COLUMNS)
      .orderBy("startsAt", isPast ? "desc" : "asc")
      .orderBy("id")
      .limit(query.size)
      .offset((query.page - 1) * query.size)
      .execute(),
    listed
      .select(
        sql<string[]>`coalesce(array_agg(distinct category) filter (where category <> ''), '{}')`.as("categories"),
      )
      .select(sql<string[]>`coalesce(array_agg(distinct language), '{}')`.as("languages"))
      .executeTakeFirstOrThrow(),
  ]);
  return { items: await publicRows(ctx, page), total, ...facets };
}

/** SQL order: upcoming events, soonest first; then past ones, latest first. */
const nextFirst = (now: string) =>
  sql`(events.ends_at <= ${now}), case when events.ends_at > ${now} then events.starts_at end, events.starts_at desc`;

/** All events in the scope of the user, of any status. */
export async function listAllEvents(ctx: Ctx<User>, query: QueryOf<typeof events.listAll>) {
  const { db } = ctx;
  let rows = db.selectFrom("events").where(inScope(ctx.user, EVENT_SCOPE));
  if (query.q) rows = rows.where(searchFor(query.q, ["events.search"]));
  const now = new Date().toISOString();
  if (query.when === "upcoming") rows = rows.where("endsAt", ">", now);
  if (query.when === "past") rows = rows.where("endsAt", "<=", now);
  const byStatus = await rows
    .groupBy("status")
    .select(["status", (e) => e.fn.countAll<number>().as("n")])
    .execute();
  if (query.status) rows = rows.where("status", "=", query.status);
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const sorted = query.sort.endsWith("confirmed")
    ? rows.leftJoin(
        db
          .selectFrom("eventRegistrations")
          .where("state", "=", "confirmed")
          .groupBy("eventId")
          .select(["eventId", (e) => e.fn.countAll<number>().as("confirmed")])
          .as("confirmations"),
        "confirmations.eventId",
        "events.id",
      )
    : rows;
  const page = await sorted
    .select(LIST_COLUMNS.map((column) => `events.${column}` as const))
    .orderBy(
      query.sort === "next"
        ? nextFirst(now)
        : orderBy(query.sort, {
            startsAt: sql`events.starts_at`,
            title: sql`lower(events.title)`,
            confirmed: sql`coalesce(confirmations.confirmed, 0)`,
          }),
    )
    .orderBy("events.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return {
    items: await adminRows(ctx, page),
    total,
    byStatus: Object.fromEntries(byStatus.map(({ status, n }) => [status, n])),
  };
}
