import { sql } from "kysely";
import { inTransaction } from "#server/core/database/db.ts";
import { claimRows, leaseEnd } from "#server/core/lease.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import type { Services } from "#server/core/services.ts";
import { notify } from "#server/notifications/notify.ts";
import { type Answer, sendEvent } from "#server/webhooks/send.ts";
import { OFF_AFTER_HOURS, RETRY_SECONDS } from "#shared/webhooks/webhooks.ts";

/** The interval between searches for due webhooks, in ms. */
const POLL_MS = 2000;
/** The number of webhooks that this node serves at the same time, so that a slow one delays only itself. */
const CONCURRENCY = 16;
/** Another node takes over when the lease of a dead node ends. Longer than a try. */
const LEASE_SECONDS = 30;
/** The number of events that are sent before the lease of a webhook is released. */
const EVENTS_PER_LEASE = 200;

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Sends pending deliveries; those of a webhook one after another, in the order of their events. */
export function createDispatcher(services: Services) {
  const { db, log } = services;
  const running = new Map<string, Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  /** Takes webhooks that have something to send and that no other node serves. */
  const lease = (limit: number) =>
    claimRows<{ id: string }>(db, {
      table: "webhooks",
      seconds: LEASE_SECONDS,
      limit,
      due: sql`
        status = 'active'
        and next_at <= now()
        and exists (
          select from webhook_deliveries deliveries
          where deliveries.webhook_id = webhooks.id
            and deliveries.status = 'pending'
        )`,
      order: sql`next_at`,
      returning: ["id"],
    });

  /** The next event and its current address, which an admin may have changed since the last one. */
  const readNext = (webhookId: string) =>
    db
      .selectFrom("webhookDeliveries")
      .innerJoin("webhooks", "webhooks.id", "webhookDeliveries.webhookId")
      .where("webhooks.id", "=", webhookId)
      .where("webhooks.status", "=", "active")
      .where("webhookDeliveries.status", "=", "pending")
      .orderBy("webhookDeliveries.id")
      .select(["webhooks.id", "webhooks.url", "webhooks.secret", "webhooks.name"])
      .select(["webhookDeliveries.id as deliveryId", "eventId", "body"])
      .executeTakeFirst();
  type Next = NonNullable<Awaited<ReturnType<typeof readNext>>>;

  const serve = async (webhookId: string) => {
    for (let sent = 0; sent < EVENTS_PER_LEASE && !stopping.signal.aborted; sent++) {
      const next = await readNext(webhookId);
      if (!next) break;
      const answer = await sendEvent(services, next, next.eventId, next.body);
      if (!(await settle(next, answer))) return;
    }
    await db.updateTable("webhooks").set({ leasedUntil: null }).where("id", "=", webhookId).execute();
  };

  /** Stores the outcome of a try. Returns false if the webhook has to wait for the next one. */
  const settle = ({ deliveryId, ...webhook }: Next, answer: Answer) =>
    inTransaction(db, async (tx) => {
      const last = { lastStatus: answer.status, lastAnswer: answer.answer, lastAt: sql<string>`now()` };
      await tx
        .updateTable("webhookDeliveries")
        .set({ ...last, lastMs: answer.ms, tries: sql`tries + 1`, status: answer.ok ? "delivered" : "pending" })
        .where("id", "=", deliveryId)
        // The value may have been corrected meanwhile, and its delivery withdrawn.
        .where("status", "=", "pending")
        .execute();
      await announceChange(tx, { domain: "webhooks" });
      if (answer.ok) {
        await tx
          .updateTable("webhooks")
          .set({ ...last, failingSince: null, tries: 0, leasedUntil: leaseEnd(LEASE_SECONDS) })
          .where("id", "=", webhook.id)
          .execute();
        return true;
      }
      const { tries, hours } = await tx
        .updateTable("webhooks")
        .set({
          ...last,
          failingSince: sql`coalesce(failing_since, now())`,
          tries: sql`tries + 1`,
          leasedUntil: null,
        })
        .where("id", "=", webhook.id)
        .returning(["tries", sql<number>`extract(epoch from now() - failing_since)::float8 / 3600`.as("hours")])
        .executeTakeFirstOrThrow();
      const wait = RETRY_SECONDS[Math.min(tries, RETRY_SECONDS.length) - 1] as number;
      const isOff = hours >= OFF_AFTER_HOURS;
      await tx
        .updateTable("webhooks")
        .set({ nextAt: sql`now() + make_interval(secs => ${wait})`, ...(isOff && { status: "off" as const }) })
        .where("id", "=", webhook.id)
        .execute();
      if (isOff)
        await notify(services, tx, {
          to: "admins",
          kind: "webhookOff",
          params: { name: webhook.name, hours: Math.round(hours), answer: answer.answer || String(answer.status) },
          link: "/admin/settings?tab=integrations&kind=webhooks",
          key: `webhookOff ${webhook.id} ${new Date().toISOString()}`,
        });
      return false;
    });

  const look = async () => {
    const free = CONCURRENCY - running.size;
    if (stopping.signal.aborted || free <= 0) return;
    const leased = await lease(free);
    for (const { id } of leased) {
      const served = serve(id)
        .catch((error: unknown) => log.warn({ err: error, webhook: id }, "a webhook could not be served"))
        .finally(() => running.delete(id));
      running.set(id, served);
    }
  };
  const schedule = (ms: number) => {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.warn({ err: error }, "pending webhooks could not be read"))
        .then(() => schedule(POLL_MS));
    }, ms);
    timer.unref();
  };
  return {
    start: () => schedule(POLL_MS),
    /** Looks for pending deliveries soon. */
    request: () => schedule(0),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await looking;
      await Promise.all(running.values());
    },
  };
}
