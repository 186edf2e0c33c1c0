import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, isMissingReference, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { ButtonInput, ButtonPrompt, buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const selectButtons = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("buttonPrompts")
    .innerJoin("prompts", "prompts.id", "buttonPrompts.promptId")
    .leftJoin("promptVersions as live", "live.id", "prompts.liveVersionId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("buttonRuns")
          .whereRef("buttonRuns.buttonId", "=", "buttonPrompts.id")
          .where("at", ">", sql<string>`now() - interval '30 days'`)
          .where(inScope(user, { company: "buttonRuns.companyId", person: "buttonRuns.userId" }))
          .select([
            sql<number>`count(*)::int`.as("runs"),
            sql<number>`count(*) filter (where status = 'failed')::int`.as("failed"),
            sql<number>`coalesce(sum(cost_micros), 0)::float8 / 1e6`.as("cost"),
          ])
          .as("recent"),
      (join) => join.onTrue(),
    )
    .selectAll("buttonPrompts")
    .select(sql<boolean>`prompts.status = 'archived'`.as("isPromptArchived"))
    .select(["prompts.name as prompt", "live.number as liveNumber", "recent.runs", "recent.failed", "recent.cost"])
    .select(
      sql<{ id: string; title: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('id', courses.id, 'title', courses.title) order by lower(courses.title))
        from button_prompt_courses used
        join courses on courses.id = used.course_id
        where used.button_id = button_prompts.id
      ), '[]')`.as("courses"),
    );
type Row = Awaited<ReturnType<ReturnType<typeof selectButtons>["execute"]>>[number];

const describe = ({ runs, failed, cost, ...row }: Row): ButtonPrompt => ({
  ...row,
  courseIds: row.courses.map(({ id }) => id),
  runs: runs ?? 0,
  failed: failed ?? 0,
  cost: cost ?? 0,
});

export async function listButtons(ctx: Ctx<User>, query: QueryOf<typeof buttonPrompts.list>) {
  const { q, courseId, status } = query;
  let rows = selectButtons(ctx);
  rows = status
    ? rows.where("buttonPrompts.status", "=", status)
    : rows.where("buttonPrompts.status", "<>", "archived");
  if (q) rows = rows.where(searchFor(q, ["buttonPrompts.label", "buttonPrompts.key"]));
  if (courseId)
    rows = rows.where((e) =>
      e.exists(
        e
          .selectFrom("buttonPromptCourses as used")
          .whereRef("used.buttonId", "=", "buttonPrompts.id")
          .where("used.courseId", "=", courseId)
          .select("used.buttonId"),
      ),
    );
  const { total } = await ctx.db
    .selectFrom(rows.as("found"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .orderBy(sql`lower(button_prompts.label)`)
    .orderBy("buttonPrompts.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items: items.map(describe), total };
}

const readButton = async (ctx: Ctx<User>, id: string) =>
  describe(await selectButtons(ctx).where("buttonPrompts.id", "=", id).executeTakeFirstOrThrow(notFound));

const toColumns = ({ outputs, visibleWhen, ...rest }: Partial<Omit<ButtonInput, "courseIds">>) => ({
  ...rest,
  ...(outputs && { outputs: JSON.stringify(outputs) }),
  ...(visibleWhen !== undefined && { visibleWhen: visibleWhen && JSON.stringify(visibleWhen) }),
});

/** The server writes outputs without an attempt, so variables with the scope attempt cannot be outputs. */
async function checkOutputs(tx: Tx, outputs: ButtonInput["outputs"]) {
  if (outputs.length === 0) return;
  const keys = outputs.map(({ key }) => key);
  const rows = await tx
    .selectFrom("variables")
    .where("key", "in", keys)
    .where("status", "=", "active")
    .where("scope", "<>", "attempt")
    .select("key")
    .execute();
  const variableKeys = new Set(rows.map(({ key }) => key));
  if (keys.some((key) => !variableKeys.has(key))) throw badField("outputs", "buttonPrompts.unknownVariable");
}

async function setCourses(tx: Tx, buttonId: string, courseIds: string[]) {
  await tx.deleteFrom("buttonPromptCourses").where("buttonId", "=", buttonId).execute();
  if (courseIds.length > 0)
    await tx
      .insertInto("buttonPromptCourses")
      .values([...new Set(courseIds)].map((courseId) => ({ buttonId, courseId })))
      .execute();
}

function asFieldError(error: unknown): never {
  if (isUniqueViolation(error, "button_prompts_key")) throw badField("key", "buttonPrompts.keyTaken");
  if (isMissingReference(error)) throw badField("promptId", "buttonPrompts.missing");
  throw error;
}

export async function createButton(ctx: Ctx<User>, { courseIds, ...input }: ButtonInput): Promise<ButtonPrompt> {
  return inTransaction(ctx.db, async (tx) => {
    await checkOutputs(tx, input.outputs);
    const { key, label, promptId, failureText } = input;
    const { id } = await tx
      .insertInto("buttonPrompts")
      .values({ ...toColumns(input), key, label, promptId, failureText, updatedBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await setCourses(tx, id, courseIds);
    await record(tx, ctx, { action: "prompts.button", object: { buttonPrompts: id } });
    return readButton({ ...ctx, db: tx }, id);
  }).catch(asFieldError);
}

export async function updateButton(
  ctx: Ctx<User>,
  id: string,
  { version, courseIds, ...input }: BodyOf<typeof buttonPrompts.update>,
): Promise<ButtonPrompt> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await tx
      .selectFrom("buttonPrompts")
      .where("id", "=", id)
      .select(["version", "updatedAt"])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const inside = { ...ctx, db: tx };
    if (before.version !== version)
      throw conflict("core.conflict", {
        current: await readButton(inside, id),
        changedBy: null,
        changedAt: before.updatedAt,
      });
    await checkOutputs(tx, input.outputs ?? []);
    await tx
      .updateTable("buttonPrompts")
      .set((e) => ({
        ...toColumns(input),
        version: e("version", "+", 1),
        updatedAt: sql`now()`,
        updatedBy: ctx.user.id,
      }))
      .where("id", "=", id)
      .execute();
    if (courseIds) await setCourses(tx, id, courseIds);
    await record(tx, ctx, {
      action: "prompts.button",
      object: { buttonPrompts: id },
      details: { fields: Object.keys(input) },
    });
    return readButton(inside, id);
  }).catch(asFieldError);
}

export async function setButtonStatus(
  ctx: Ctx<User>,
  id: string,
  status: ButtonPrompt["status"],
): Promise<ButtonPrompt> {
  return inTransaction(ctx.db, async (tx) => {
    if (status === "active" && !(await hasLivePrompt(tx, id))) throw conflict("buttonPrompts.notLive");
    await tx
      .updateTable("buttonPrompts")
      .set((e) => ({ status, version: e("version", "+", 1), updatedAt: sql`now()`, updatedBy: ctx.user.id }))
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirstOrThrow(notFound);
    await record(tx, ctx, { action: "prompts.button", object: { buttonPrompts: id }, details: { status } });
    return readButton({ ...ctx, db: tx }, id);
  });
}

/** Whether a button has a live version of a prompt that is not archived; true for unknown buttons. */
async function hasLivePrompt(tx: Tx, id: string) {
  const button = await tx
    .selectFrom("buttonPrompts")
    .innerJoin("prompts", "prompts.id", "buttonPrompts.promptId")
    .where("buttonPrompts.id", "=", id)
    .select(["prompts.liveVersionId", "prompts.status"])
    .executeTakeFirst();
  return !button || (button.liveVersionId !== null && button.status === "active");
}
