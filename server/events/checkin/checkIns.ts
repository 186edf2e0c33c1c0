import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { record } from "#server/events/registrations/registrationLog.ts";
import { readRegistration } from "#server/events/organiser/organiserRegistrations.ts";
import { findEvent, findEventOf } from "#server/events/eventChanges.ts";
import { checkTicket, referenceIn } from "#server/events/checkin/tickets.ts";
import type { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const WEEK = 7 * 86_400_000;

/** The time of a check-in by the clock of the device; now, if that is in the future or more than a week ago. */
function checkInTime(at: string | undefined, now = Date.now()) {
  const deviceTime = Date.parse(at ?? "");
  return new Date(deviceTime <= now && deviceTime > now - WEEK ? deviceTime : now).toISOString();
}

/** Checks in the guest whose ticket was scanned. */
export async function checkInByTicket(
  ctx: Ctx<User>,
  eventId: string,
  { ticket, ...scan }: BodyOf<typeof eventRegistrations.checkInByTicket>,
) {
  await findEvent(ctx, eventId);
  const registration = await ctx.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", eventId)
    .where("reference", "=", referenceIn(ticket))
    .where("purgedAt", "is", null)
    .select(["id", "reference", "ticketVersion"])
    .executeTakeFirst();
  const validity = registration ? checkTicket(ctx, registration, ticket) : "unknown";
  if (!registration || validity === "unknown") throw new Problem(404, "events.ticketUnknown");
  if (validity === "replaced") throw new Problem(409, "events.ticketReplaced");
  return checkIn(ctx, registration.id, scan);
}

/**
 * Checks in one registration. Repeating it changes nothing and returns `already`: devices resend what they recorded
 * offline.
 */
export async function checkIn(ctx: Ctx<User>, id: string, { device, at }: BodyOf<typeof eventRegistrations.checkIn>) {
  await findEventOf(ctx, id);
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
    const time = checkInTime(at);
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
  await findEventOf(ctx, id);
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
