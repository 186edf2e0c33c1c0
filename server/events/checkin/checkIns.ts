import { inTransaction } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { notFound, Problem } from "#server/core/problem.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { readRegistration } from "#server/events/organiser/organiserRegistrations.ts";
import { findEvent } from "#server/events/service.ts";
import { checkTicket, referenceIn } from "#server/events/checkin/tickets.ts";
import type { User } from "#shared/users.ts";

type Scan = { device: string; at?: string | undefined };
const WEEK = 7 * 86_400_000;

/** The time that a device gives for what it did offline: never in the future, at most a week back. */
function timeOf(at: string | undefined, now = Date.now()) {
  const given = Date.parse(at ?? "");
  return new Date(given <= now && given > now - WEEK ? given : now).toISOString();
}

/** Checks in who holds a ticket of this event. */
export async function checkInByTicket(ctx: Ctx<User>, eventId: string, { ticket, ...scan }: Scan & { ticket: string }) {
  await findEvent(ctx.db, eventId);
  const held = await ctx.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", eventId)
    .where("reference", "=", referenceIn(ticket))
    .where("purgedAt", "is", null)
    .select(["id", "reference", "ticketVersion"])
    .executeTakeFirst();
  const verdict = held ? checkTicket(ctx, held, ticket) : "unknown";
  if (!held || verdict === "unknown") throw new Problem(404, "events.ticketUnknown");
  if (verdict === "replaced") throw new Problem(409, "events.ticketReplaced");
  return checkIn(ctx, held.id, scan);
}

/** Checks in one registration. Doing it again changes nothing and says so: devices that were offline send what they have. */
export async function checkIn(ctx: Ctx<User>, id: string, { device, at }: Scan) {
  const outcome = await inTransaction(ctx.db, async (tx) => {
    const row = await tx
      .selectFrom("eventRegistrations")
      .where("id", "=", id)
      .where("purgedAt", "is", null)
      .select(["state", "attendedAt"])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (row.state !== "confirmed") return "not_confirmed" as const;
    if (row.attendedAt) return "already" as const;
    const time = timeOf(at);
    await tx
      .insertInto("eventCheckIns")
      .values({ registrationId: id, direction: "in", at: time, byUser: ctx.user.id, device })
      .execute();
    await tx
      .updateTable("eventRegistrations")
      .set((e) => ({ attendedAt: time, version: e("version", "+", 1) }))
      .where("id", "=", id)
      .execute();
    await record(tx, [id], "checked_in", { userId: ctx.user.id }, device);
    return "checked_in" as const;
  });
  return { outcome, registration: await readRegistration(ctx, id) };
}

export async function undoCheckIn(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const row = await tx
      .selectFrom("eventRegistrations")
      .where("id", "=", id)
      .where("purgedAt", "is", null)
      .select("attendedAt")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (!row.attendedAt) return;
    await tx
      .insertInto("eventCheckIns")
      .values({ registrationId: id, direction: "undo", at: new Date().toISOString(), byUser: ctx.user.id })
      .execute();
    await tx
      .updateTable("eventRegistrations")
      .set((e) => ({ attendedAt: null, version: e("version", "+", 1) }))
      .where("id", "=", id)
      .execute();
    await record(tx, [id], "check_in_undone", { userId: ctx.user.id });
  });
  return readRegistration(ctx, id);
}
