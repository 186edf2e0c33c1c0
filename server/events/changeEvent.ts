import type { Updateable } from "kysely";
import { record } from "#server/audit/service.ts";
import type { Db, Tx } from "#server/core/db.ts";
import type { Events } from "#server/core/db.types.ts";
import type { Ctx } from "#server/core/http.ts";
import { conflict, notFound } from "#server/core/problem.ts";
import { withLockedEvent } from "#server/events/registrations/offers.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { adminView } from "#server/events/views.ts";
import type { User } from "#shared/users.ts";

export const findEvent = (db: Db, id: string): Promise<EventRow> =>
  db.selectFrom("events").where("id", "=", id).selectAll().executeTakeFirstOrThrow(notFound);

/**
 * Changes an event that is still at `version`, under the event lock. `work` returns the columns to set; `after` runs in the same
 * transaction. Otherwise throws 409 with the current event and who changed it. Returns the changed event.
 */
export async function changeEvent(
  ctx: Ctx<User>,
  id: string,
  version: number,
  work: (tx: Tx, event: EventRow) => Promise<Updateable<Events>>,
  after?: (tx: Tx, before: EventRow, now: EventRow) => Promise<unknown>,
) {
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
    const now = await findEvent(tx, id);
    await after?.(tx, event, now);
    const hasNewStatus = now.status !== event.status;
    await record(tx, ctx, {
      action: hasNewStatus ? "events.status" : "events.update",
      companyId: now.companyId,
      details: { event: now.slug, ...(hasNewStatus && { status: now.status }) },
    });
    return adminView(txContext, await findEvent(tx, id));
  });
}
