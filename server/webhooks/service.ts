import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { checkAddress } from "#server/core/outgoing/addressCheck.ts";
import { seal } from "#server/core/secrets.ts";
import { SECRET_PURPOSE, sendEvent } from "#server/webhooks/send.ts";
import { newWebhookSecret } from "#server/webhooks/signature.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import {
  type Delivery,
  deliveryStatus,
  type Webhook,
  type WebhookInput,
  type webhooks,
} from "#shared/webhooks/webhooks.ts";

const SCOPE = { company: "webhooks.companyId" };
const deliveriesWith = (status: string) =>
  sql<number>`(
    select count(*)::int
    from webhook_deliveries
    where webhook_deliveries.webhook_id = webhooks.id
      and webhook_deliveries.status = ${status}
  )`;

const selectWebhooks = (db: Db, user: User) =>
  db
    .selectFrom("webhooks")
    .leftJoin("companies", "companies.id", "webhooks.companyId")
    .where(inScope(user, SCOPE))
    .select([
      "webhooks.id",
      "webhooks.name",
      "webhooks.url",
      "webhooks.companyId",
      "webhooks.includesNames",
      "webhooks.status",
      "webhooks.version",
      "companies.name as company",
      "webhooks.createdAt",
      "webhooks.failingSince",
      "webhooks.nextAt",
      "webhooks.lastStatus",
      "webhooks.lastAnswer",
      "webhooks.lastAt",
      deliveriesWith("pending").as("pending"),
      deliveriesWith("delivered").as("delivered"),
      sql<number>`(select count(*)::int from flows where flows.target_webhook_id = webhooks.id)`.as("flows"),
    ]);

const readWebhook = ({ db, user }: Ctx<User>, id: string): Promise<Webhook> =>
  selectWebhooks(db, user).where("webhooks.id", "=", id).executeTakeFirstOrThrow(notFound);

export async function listWebhooks({ db, user }: Ctx<User>, { q, page, size }: QueryOf<typeof webhooks.list>) {
  const match = q ? searchFor(q, ["webhooks.name", "webhooks.url"]) : sql<boolean>`true`;
  const { total } = await db
    .selectFrom("webhooks")
    .where(inScope(user, SCOPE))
    .where(match)
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await selectWebhooks(db, user)
    .where(match)
    .orderBy(sql`lower(webhooks.name)`)
    .orderBy("webhooks.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

/** Only an admin of all companies can create a webhook for the values of all companies. */
const companyOf = ({ user }: Ctx<User>, companyId: string | null) => companyId ?? user.companyId;

async function checkInput({ db, user, config }: Ctx<User>, { url, companyId }: Partial<WebhookInput>) {
  if (url !== undefined) await checkAddress(config, "url", url);
  if (!companyId) return;
  const company = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirst();
  if (!company) throw notFound();
}

export async function createWebhook(ctx: Ctx<User>, sent: BodyOf<typeof webhooks.create>) {
  const input = { ...sent, companyId: companyOf(ctx, sent.companyId) };
  await checkInput(ctx, input);
  const [id, secret] = [randomUUID(), newWebhookSecret()];
  await inTransaction(ctx.db, async (tx) => {
    const sealed = seal(ctx.config.secret, SECRET_PURPOSE, secret, id);
    await tx
      .insertInto("webhooks")
      .values({ ...input, id, secret: sealed, createdBy: ctx.user.id })
      .execute();
    await record(tx, ctx, { action: "webhooks.create", object: { webhooks: id }, companyId: input.companyId });
  });
  return { ...(await readWebhook(ctx, id)), secret };
}

/** Changes a webhook. Switching it on sends pending deliveries at once. */
export async function updateWebhook(
  ctx: Ctx<User>,
  id: string,
  { version, status, ...sent }: BodyOf<typeof webhooks.update>,
) {
  const input = { ...sent, ...(sent.companyId !== undefined && { companyId: companyOf(ctx, sent.companyId) }) };
  const before = await readWebhook(ctx, id);
  const { url, ...others } = input;
  await checkInput(ctx, url === before.url ? others : input);
  await inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("webhooks")
      .set({
        ...input,
        ...(status && { status }),
        ...((status === "active" || input.url !== undefined) && {
          failingSince: null,
          tries: 0,
          nextAt: sql<string>`now()`,
        }),
        version: sql`version + 1`,
      })
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw conflict("core.conflict");
    await record(tx, ctx, {
      action: "webhooks.update",
      object: { webhooks: id },
      companyId: input.companyId ?? before.companyId,
    });
  });
  return readWebhook(ctx, id);
}

export async function rotateSecret(ctx: Ctx<User>, id: string) {
  const { companyId } = await readWebhook(ctx, id);
  const secret = newWebhookSecret();
  await inTransaction(ctx.db, async (tx) => {
    const sealed = seal(ctx.config.secret, SECRET_PURPOSE, secret, id);
    await tx.updateTable("webhooks").set({ secret: sealed }).where("id", "=", id).execute();
    await record(tx, ctx, { action: "webhooks.rotateSecret", object: { webhooks: id }, companyId });
  });
  return { secret };
}

export async function removeWebhook(ctx: Ctx<User>, id: string) {
  const { companyId } = await readWebhook(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    await record(tx, ctx, { action: "webhooks.remove", object: { webhooks: id }, companyId });
    await tx.deleteFrom("webhooks").where("id", "=", id).execute();
  });
}

/** Sends an event of type `test` at once. It is not stored as a delivery, nor repeated. */
export async function testWebhook(ctx: Ctx<User>, id: string) {
  await readWebhook(ctx, id);
  const receiver = await ctx.db
    .selectFrom("webhooks")
    .where("id", "=", id)
    .select(["id", "url", "secret"])
    .executeTakeFirstOrThrow(notFound);
  const eventId = randomUUID();
  const body = { id: eventId, type: "test", recordedAt: new Date().toISOString() };
  return sendEvent(ctx, receiver, eventId, JSON.stringify(body));
}

export async function retryNow(ctx: Ctx<User>, id: string) {
  await readWebhook(ctx, id);
  await ctx.db
    .updateTable("webhooks")
    .set({ nextAt: sql<string>`now()` })
    .where("id", "=", id)
    .execute();
  return readWebhook(ctx, id);
}

export async function listDeliveries(ctx: Ctx<User>, id: string, query: QueryOf<typeof webhooks.deliveries>) {
  await readWebhook(ctx, id);
  let rows = ctx.db.selectFrom("webhookDeliveries").where("webhookId", "=", id);
  rows = query.status ? rows.where("status", "=", query.status) : rows.where("status", "in", deliveryStatus.options);
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .select(["id", "eventId", "createdAt", "status", "tries", "lastStatus", "lastAnswer", "lastMs", "lastAt", "body"])
    .$narrowType<{ status: Delivery["status"] }>()
    .orderBy("id", "desc")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}
