import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy, searchFor } from "#server/core/database/listing.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { describePrompt, readCases, readPrompt, selectPrompts } from "#server/prompts/promptRows.ts";
import { checkPlaceholders } from "#server/prompts/rendering.ts";
import type { CaseInput, PromptCase, PromptDetail, PromptInput, prompts } from "#shared/prompts/prompts.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const MATCHED = ["prompts.name", "prompts.key", "draft.body"];
/** Maximum number of test questions of a prompt. */
const MAX_CASES = 50;

export async function listPrompts(ctx: Ctx<User>, query: QueryOf<typeof prompts.list>) {
  let rows = selectPrompts(ctx).where("prompts.status", "=", query.status);
  if (query.purpose) rows = rows.where("purpose", "=", query.purpose);
  if (query.q) rows = rows.where(searchFor(query.q, MATCHED));
  const { total } = await ctx.db
    .selectFrom(rows.as("found"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .orderBy(
      orderBy(query.sort, {
        name: sql`lower(prompts.name)`,
        updatedAt: sql`prompts.updated_at`,
        runs: sql`coalesce(recent.runs, 0)`,
      }),
    )
    .orderBy("prompts.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items: items.map(describePrompt), total };
}

export async function createPrompt(ctx: Ctx<User>, { body, ...fields }: PromptInput): Promise<PromptDetail> {
  await checkPlaceholders(ctx, body, fields.purpose);
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const { id } = await tx
        .insertInto("prompts")
        .values({ ...fields, updatedBy: ctx.user.id })
        .returning("id")
        .executeTakeFirstOrThrow();
      await addVersion(tx, ctx, id, body, "");
      await record(tx, ctx, { action: "prompts.create", object: { prompts: id } });
      return readPrompt({ ...ctx, db: tx }, id);
    });
  } catch (error) {
    if (isUniqueViolation(error, "prompts_key")) throw badField("key", "prompts.keyTaken");
    throw error;
  }
}

/** Locks a prompt that is still at `version`; otherwise throws 409 with the current one. */
async function lockPrompt(ctx: Ctx<User>, id: string, version: number) {
  const row = await ctx.db
    .selectFrom("prompts")
    .where("id", "=", id)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (row.version !== version)
    throw conflict("core.conflict", {
      current: await readPrompt(ctx, id),
      changedBy: null,
      changedAt: row.updatedAt,
    });
  return row;
}

const touch = (tx: Tx, ctx: Ctx<User>, id: string, values: object) =>
  tx
    .updateTable("prompts")
    .set((e) => ({ ...values, version: e("version", "+", 1), updatedAt: sql`now()`, updatedBy: ctx.user.id }))
    .where("id", "=", id)
    .execute();

async function addVersion(tx: Tx, ctx: Ctx<User>, promptId: string, body: string, note: string) {
  const { id } = await tx
    .insertInto("promptVersions")
    .values({
      promptId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from prompt_versions where prompt_id = ${promptId})`,
      body,
      note,
      createdBy: ctx.user.id,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx.updateTable("prompts").set({ draftVersionId: id }).where("id", "=", promptId).execute();
  return id;
}

export async function updatePrompt(
  ctx: Ctx<User>,
  id: string,
  { version, ...fields }: BodyOf<typeof prompts.update>,
): Promise<PromptDetail> {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const before = await lockPrompt(inTx, id, version);
    const { purpose = before.purpose } = fields;
    if (purpose !== before.purpose) {
      const { usedBy, versions } = await readPrompt(inTx, id);
      if (usedBy.length > 0)
        throw badField("purpose", "prompts.used", { names: usedBy.map(({ label }) => label).join(", ") });
      await checkPlaceholders(inTx, versions[0]?.body ?? "", purpose);
    }
    await touch(tx, ctx, id, fields);
    await record(tx, ctx, {
      action: "prompts.update",
      object: { prompts: id },
      details: { fields: Object.keys(fields) },
    });
    return readPrompt({ ...ctx, db: tx }, id);
  });
}

export async function saveVersion(
  ctx: Ctx<User>,
  id: string,
  { body, note, version }: BodyOf<typeof prompts.saveVersion>,
): Promise<PromptDetail> {
  return inTransaction(ctx.db, async (tx) => {
    const { purpose } = await lockPrompt({ ...ctx, db: tx }, id, version);
    await checkPlaceholders({ ...ctx, db: tx }, body, purpose);
    await addVersion(tx, ctx, id, body, note);
    await touch(tx, ctx, id, {});
    await record(tx, ctx, { action: "prompts.version", object: { prompts: id } });
    return readPrompt({ ...ctx, db: tx }, id);
  });
}

export async function restoreVersion(
  ctx: Ctx<User>,
  id: string,
  { versionId, version }: BodyOf<typeof prompts.restoreVersion>,
): Promise<PromptDetail> {
  return inTransaction(ctx.db, async (tx) => {
    const { purpose } = await lockPrompt({ ...ctx, db: tx }, id, version);
    const { body, number } = await findVersion(tx, id, versionId);
    // A variable may have been archived since.
    await checkPlaceholders({ ...ctx, db: tx }, body, purpose);
    await addVersion(tx, ctx, id, body, `Text of version ${number}`);
    await touch(tx, ctx, id, {});
    await record(tx, ctx, { action: "prompts.version", object: { prompts: id } });
    return readPrompt({ ...ctx, db: tx }, id);
  });
}

/** A version of this prompt; 404 for one of another. */
const findVersion = (tx: Tx, promptId: string, versionId: string) =>
  tx
    .selectFrom("promptVersions")
    .where("id", "=", versionId)
    .where("promptId", "=", promptId)
    .select(["body", "number"])
    .executeTakeFirstOrThrow(notFound);

export async function setLive(
  ctx: Ctx<User>,
  id: string,
  { versionId, version }: BodyOf<typeof prompts.setLive>,
): Promise<PromptDetail> {
  return inTransaction(ctx.db, async (tx) => {
    await lockPrompt({ ...ctx, db: tx }, id, version);
    const number = versionId ? (await findVersion(tx, id, versionId)).number : null;
    await touch(tx, ctx, id, { liveVersionId: versionId });
    await record(tx, ctx, { action: "prompts.live", object: { prompts: id }, details: { number } });
    return readPrompt({ ...ctx, db: tx }, id);
  });
}

export async function setPromptStatus(
  ctx: Ctx<User>,
  id: string,
  status: "active" | "archived",
): Promise<PromptDetail> {
  return inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom("prompts").where("id", "=", id).select("id").forUpdate().executeTakeFirstOrThrow(notFound);
    await touch(tx, ctx, id, { status });
    await record(tx, ctx, { action: "prompts.status", object: { prompts: id }, details: { status } });
    return readPrompt({ ...ctx, db: tx }, id);
  });
}

export async function addCase(ctx: Ctx<User>, promptId: string, input: CaseInput): Promise<PromptCase> {
  return inTransaction(ctx.db, async (tx) => {
    await tx
      .selectFrom("prompts")
      .where("id", "=", promptId)
      .select("id")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const existing = await readCases({ ...ctx, db: tx }, promptId);
    if (existing.length >= MAX_CASES) throw conflict("prompts.tooManyCases", undefined, { count: MAX_CASES });
    const { id } = await tx
      .insertInto("promptCases")
      .values({ ...input, promptId })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "prompts.cases", object: { prompts: promptId } });
    return findCase({ ...ctx, db: tx }, promptId, id);
  });
}

export async function updateCase(ctx: Ctx<User>, promptId: string, id: string, input: CaseInput): Promise<PromptCase> {
  return inTransaction(ctx.db, async (tx) => {
    await findCase({ ...ctx, db: tx }, promptId, id);
    await tx.updateTable("promptCases").set(input).where("id", "=", id).execute();
    await tx.deleteFrom("promptResults").where("caseId", "=", id).execute();
    await record(tx, ctx, { action: "prompts.cases", object: { prompts: promptId } });
    return findCase({ ...ctx, db: tx }, promptId, id);
  });
}

export async function removeCase(ctx: Ctx<User>, promptId: string, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    await findCase({ ...ctx, db: tx }, promptId, id);
    await tx.deleteFrom("promptCases").where("id", "=", id).execute();
    await record(tx, ctx, { action: "prompts.cases", object: { prompts: promptId } });
  });
}

export async function findCase(ctx: Ctx<User>, promptId: string, id: string): Promise<PromptCase> {
  const [found] = await readCases(ctx, promptId, id);
  if (!found) throw notFound();
  return found;
}
