import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { readBot } from "#server/chatbots/botRows.ts";
import { findProblems, findWarnings } from "#server/chatbots/publishProblems.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { type BotSettings, savedBotSettings } from "#shared/chatbots/botSettings.ts";
import type { Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

type Draft = { name: string; settings: BotSettings };

/** Admins of one company create chatbots only for its people. */
function checkCompanies({ user }: Ctx<User>, { companyIds }: BotSettings) {
  const scope = scopeOf(user);
  if (scope.kind === "company" && (companyIds.length !== 1 || companyIds[0] !== scope.companyId)) throw notFound();
}

export async function createBot(ctx: Ctx<User>, { name, settings }: Draft): Promise<Chatbot> {
  checkCompanies(ctx, settings);
  return inTransaction(ctx.db, async (tx) => {
    const { id } = await tx
      .insertInto("chatbots")
      .values({ name, settings: JSON.stringify(settings), createdBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "chatbots.create", object: { chatbots: id } });
    return readBot(tx, id, ctx.user);
  });
}

/** Stores a draft. Throws 409 if it changed since `version`. */
async function storeDraft(ctx: Ctx<User>, tx: Tx, id: string, version: number, { name, settings }: Draft) {
  checkCompanies(ctx, settings);
  const stored = await tx
    .updateTable("chatbots")
    .set({ name, settings: JSON.stringify(settings), version: sql`version + 1`, updatedAt: sql`now()` })
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (stored.numUpdatedRows > 0n) return;
  throw conflict("core.conflict", { current: await readBot(tx, id, ctx.user) });
}

export async function updateBot(ctx: Ctx<User>, id: string, { version, ...draft }: BodyOf<typeof chatbots.update>) {
  return inTransaction(ctx.db, async (tx) => {
    await readBot(tx, id, ctx.user);
    await storeDraft(ctx, tx, id, version, draft);
    await record(tx, ctx, { action: "chatbots.update", object: { chatbots: id } });
    return readBot(tx, id, ctx.user);
  });
}

export async function checkBot({ db, user }: Ctx<User>, id: string) {
  const { settings } = await readBot(db, id, user);
  return { items: await findProblems(db, settings), warnings: await findWarnings(db, settings) };
}

/** Publishes the draft as a version, which answers in new conversations. */
export async function publishBot(ctx: Ctx<User>, id: string, { version, note }: BodyOf<typeof chatbots.publish>) {
  return inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom("chatbots").where("id", "=", id).select("id").forUpdate().executeTakeFirstOrThrow(notFound);
    const bot = await readBot(tx, id, ctx.user);
    if (bot.version !== version) throw conflict("core.conflict", { current: bot });
    const problems = await findProblems(tx, bot.settings);
    if (problems.length > 0) throw conflict("chatbots.notReady", { problems });
    const { id: versionId } = await tx
      .insertInto("chatbotVersions")
      .values({
        chatbotId: id,
        number: sql`(select coalesce(max(number), 0) + 1 from chatbot_versions where chatbot_id = ${id})`,
        name: bot.name,
        settings: JSON.stringify(bot.settings),
        note,
        publishedBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("chatbots")
      .set({ liveVersionId: versionId, status: "published", version: sql`version + 1`, updatedAt: sql`now()` })
      .where("id", "=", id)
      .execute();
    await tx.deleteFrom("chatbotCourses").where("chatbotId", "=", id).execute();
    // Skips courses that were deleted meanwhile.
    await tx
      .insertInto("chatbotCourses")
      .columns(["chatbotId", "courseId"])
      .expression((e) =>
        e
          .selectFrom("courses")
          .where("id", "in", bot.settings.courseIds.length > 0 ? bot.settings.courseIds : [randomUUID()])
          .select([sql<string>`${id}::uuid`.as("chatbotId"), "id"]),
      )
      .execute();
    await record(tx, ctx, { action: "chatbots.publish", object: { chatbots: id } });
    return readBot(tx, id, ctx.user);
  });
}

/** A paused or archived chatbot answers nobody, and appears not to exist. */
export async function setBotStatus(ctx: Ctx<User>, id: string, { status }: BodyOf<typeof chatbots.setStatus>) {
  return inTransaction(ctx.db, async (tx) => {
    const bot = await readBot(tx, id, ctx.user);
    if (status === "published" && !bot.live) throw conflict("chatbots.notPublished");
    await tx
      .updateTable("chatbots")
      .set({ status, version: sql`version + 1` })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "chatbots.status", object: { chatbots: id }, details: { to: status } });
    return readBot(tx, id, ctx.user);
  });
}

export async function listVersions({ db, user }: Ctx<User>, id: string) {
  await readBot(db, id, user);
  const items = await db
    .selectFrom("chatbotVersions")
    .leftJoin("users", "users.id", "chatbotVersions.publishedBy")
    .where("chatbotId", "=", id)
    .select([
      "chatbotVersions.id",
      "number",
      "chatbotVersions.name",
      "note",
      "publishedAt",
      "settings",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("publishedBy"),
    ])
    .orderBy("number", "desc")
    .execute();
  return { items };
}

export async function restoreVersion(
  ctx: Ctx<User>,
  id: string,
  { versionId, version }: BodyOf<typeof chatbots.restore>,
) {
  return inTransaction(ctx.db, async (tx) => {
    await readBot(tx, id, ctx.user);
    const { name, settings } = await tx
      .selectFrom("chatbotVersions")
      .where("id", "=", versionId)
      .where("chatbotId", "=", id)
      .select(["name", "settings"])
      .executeTakeFirstOrThrow(notFound);
    await storeDraft(ctx, tx, id, version, { name, settings });
    await record(tx, ctx, { action: "chatbots.update", object: { chatbots: id } });
    return readBot(tx, id, ctx.user);
  });
}

export async function duplicateBot(ctx: Ctx<User>, id: string) {
  const { name, settings } = await readBot(ctx.db, id, ctx.user);
  return createBot(ctx, { name: `${name.slice(0, 110)} (copy)`, settings });
}

export async function exportBot({ db, user }: Ctx<User>, id: string) {
  const { name, settings } = await readBot(db, id, user);
  return { kind: "lyceum-chatbot" as const, name, settings };
}

/** Fields with ids of rows of this academy. */
const REFERENCES = {
  promptId: null,
  connectorId: null,
  documentIds: [],
  buttonIds: [],
  readVariableIds: [],
  writeVariableIds: [],
  courseIds: [],
  companyIds: [],
  carePersonId: null,
} satisfies Partial<BotSettings>;

export async function importBot(ctx: Ctx<User>, { name, settings }: BodyOf<typeof chatbots.import>) {
  const parsed = savedBotSettings.safeParse({ ...(settings as object), ...REFERENCES });
  if (!parsed.success) throw badField("settings", "core.invalid");
  const scene = parsed.data.scene.map((step) => ({
    ...step,
    choices: step.choices.map((choice) => ({ ...choice, sets: null })),
  }));
  return createBot(ctx, { name, settings: { ...parsed.data, scene } });
}
