import type { Updateable } from "kysely";
import { record } from "#server/audit/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Events } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { withLockedEvent } from "#server/events/registrations/offers.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { adminView } from "#server/events/views.ts";
import type { User } from "#shared/core/users.ts";

/** The columns of `events` by which `inScope` decides. */
export const EVENT_SCOPE = { company: "events.companyId" };

/** An event in the scope of the user; 404 for any other. */
export const findEvent = ({ db, user }: Pick<Ctx<User>, "db" | "user">, id: string): Promise<EventRow> =>
  db
    .selectFrom("events")
    .where("id", "=", id)
    .where(inScope(user, EVENT_SCOPE))
    .selectAll()
    .executeTakeFirstOrThrow(notFound);

/** The event of a registration, if it is in the scope of the user; otherwise 404. */
export async function findEventOf(ctx: Pick<Ctx<User>, "db" | "user">, registrationId: string): Promise<EventRow> {
  const { eventId } = await ctx.db
    .selectFrom("eventRegistrations")
    .where("id", "=", registrationId)
    .select("eventId")
    .executeTakeFirstOrThrow(notFound);
  return findEvent(ctx, eventId);
}

/**
 * Changes an event that is still at `version`, under the event lock; otherwise throws 409 with the current event and
 * who changed it. `work` returns the columns to set; `after` runs in the same transaction. Returns the changed event.
 */
export async function changeEvent(
  ctx: Ctx<User>,
  id: string,
  version: number,
  work: (tx: Tx, event: EventRow) => Promise<Updateable<Events>>,
  after?: (tx: Tx, before: EventRow, now: EventRow) => Promise<unknown>,
) {
  await findEvent(ctx, id);
  return withLockedEvent(ctx.db, id, async (tx, event) => {
    const txContext = { ...ctx, db: tx };
    if (event.version !== version) {
      const editor = event.updatedBy
        ? await tx.selectFrom("users").where("id", "=", event.updatedBy).select("name").executeTakeFirst()
        : undefined;
      throw conflict("core.conflict", {
        current: await adminView(txContext, event),
        changedBy: editor?.name ?? null,
        changedAt: event.updatedAt,
      });
    }
    const values = await work(tx, event);
    await tx
      .updateTable("events")
      .set((e) => ({
        ...values,
        version: e("version", "+", 1),
        updatedAt: new Date().toISOString(),
        updatedBy: ctx.user.id,
      }))
      .where("id", "=", id)
      .execute();
    const now = await findEvent(txContext, id);
    await after?.(tx, event, now);
    const hasNewStatus = now.status !== event.status;
    await record(tx, ctx, {
      action: hasNewStatus ? "events.status" : "events.update",
      companyId: now.companyId,
      details: { event: now.slug, ...(hasNewStatus && { status: now.status }) },
    });
    return adminView(txContext, await findEvent(txContext, id));
  });
}
