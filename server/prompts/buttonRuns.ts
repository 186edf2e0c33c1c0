import { sql } from "kysely";
import { z } from "zod";
import { complete, completeStructured } from "#server/connectors/gateway.ts";
import { type GatewayCall, GatewayError } from "#server/connectors/gatewayCall.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { announceStoredValues } from "#server/variables/storedValues.ts";
import { TEMPLATE_WORDS } from "#server/variables/templates.ts";
import { readTemplateValues } from "#server/variables/templateValues.ts";
import type { ButtonAnswer, VisibleWhen } from "#shared/prompts/buttonPrompts.ts";
import { keysOfTemplate, renderTemplate, type TemplateValue } from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";
import { type Constraints, type VariableType, type VariableValue } from "#shared/variables/variableTypes.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";

const MAX_OUTPUT_TOKENS = 800;

/** Buttons of a course in which the learner is enrolled; 404 for other courses. */
async function selectOffered({ db, user }: Ctx<User>, courseId: string) {
  const enrolment = await db
    .selectFrom("enrolments")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .where("enrolments.userId", "=", user.id)
    .where("courseId", "=", courseId)
    .where("enrolments.status", "<>", "withdrawn")
    .where("companies.status", "=", "active")
    .select(["companies.id as companyId", "companies.timezone"])
    .executeTakeFirstOrThrow(notFound);
  const rows = db
    .selectFrom("buttonPrompts")
    .innerJoin("buttonPromptCourses as used", "used.buttonId", "buttonPrompts.id")
    .innerJoin("prompts", "prompts.id", "buttonPrompts.promptId")
    .leftJoin("promptVersions as live", (join) =>
      join.onRef("live.id", "=", "prompts.liveVersionId").on("prompts.status", "=", "active"),
    )
    .where("used.courseId", "=", courseId)
    .where("buttonPrompts.status", "=", "active")
    .selectAll("buttonPrompts")
    .select(["live.id as versionId", "live.body"])
    .orderBy(sql`lower(label)`);
  return { ...enrolment, rows };
}
type Button = Awaited<ReturnType<Awaited<ReturnType<typeof selectOffered>>["rows"]["execute"]>>[number];
type Place = { userId: string; companyId: string; courseId: string; timezone: string };

export async function listOffered(ctx: Ctx<User>, courseId: string) {
  const { rows, ...company } = await selectOffered(ctx, courseId);
  const place = { userId: ctx.user.id, courseId, ...company };
  const buttons = await rows.execute();
  const buttonIds = buttons.map(({ id }) => id);
  const [counts, visibleIds] = await Promise.all([countRuns(ctx, buttonIds, place), findVisible(ctx, buttons, place)]);
  const items = buttons.map(({ id, key, label, confirmText, dailyLimit }) => {
    const left = dailyLimit === null ? null : Math.max(0, dailyLimit - runsOf(counts, id).today);
    return { id, key, label, confirmText, isVisible: visibleIds.has(id), left };
  });
  return { items };
}

/** The ids of the buttons that the learner may see; the values of all conditions are read together. */
async function findVisible({ db }: Ctx<User>, buttons: Button[], place: Place) {
  const keys = buttons.flatMap(({ visibleWhen }) => visibleWhen?.key ?? []);
  const origin = { ...place, attemptId: null, reader: "learner" as const };
  const templates = keys.map((key) => `{{${key}}}`);
  const values = keys.length > 0 ? await readTemplateValues(db, templates, origin) : new Map<string, TemplateValue>();
  const isVisible = ({ visibleWhen }: Button) =>
    !visibleWhen || passes(visibleWhen, values.get(visibleWhen.key)?.value ?? null);
  return new Set(buttons.filter(isVisible).map(({ id }) => id));
}

export function passes({ is, value: operand }: VisibleWhen, value: VariableValue) {
  if (is === "missing") return value === null || value === "";
  if (value === null || value === "") return false;
  if (is === "equal") return String(value).toLowerCase() === String(operand).toLowerCase();
  if (is === "atLeast") return Number(value) >= Number(operand);
  if (is === "atMost") return Number(value) <= Number(operand);
  if (is === "words") return String(value).trim().split(/\s+/).length >= Number(operand);
  return true;
}

/** Runs that have not failed: how many `today`, and the `seconds` since the last one, if there was one. */
type RunCount = { id: string; today: number; seconds: number | null };

/** The runs of a learner, by button id; buttons without any are missing. */
async function countRuns({ db }: Pick<Ctx<User>, "db">, buttonIds: string[], { userId, timezone }: Place) {
  const { rows } = await sql<RunCount>`
    select
      button_id as id,
      count(*) filter (
        where (at at time zone ${timezone})::date = (now() at time zone ${timezone})::date
      )::int as today,
      extract(epoch from clock_timestamp() - max(at))::float8 as seconds
    from button_runs
    where ${isOneOf("buttonId", buttonIds)}
      and user_id = ${userId}
      and status <> 'failed'
      and at > now() - interval '2 days'
    group by button_id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function runsOf(counts: Map<string, RunCount>, buttonId: string) {
  const { today = 0, seconds = null } = counts.get(buttonId) ?? {};
  // Not negative, even if the clock of the database has been set back.
  return { today, seconds: seconds === null ? null : Math.max(0, seconds) };
}

/**
 * Runs a button, by id or key, and writes its output variables. A run without an answer does not count towards the
 * limit.
 */
export async function runButton(
  ctx: Ctx<User>,
  idOrKey: string,
  { courseId, input }: { courseId: string; input: string },
): Promise<ButtonAnswer> {
  const { rows, ...company } = await selectOffered(ctx, courseId);
  const isId = z.uuid().safeParse(idOrKey).success;
  const button = await rows
    .where(isId ? "buttonPrompts.id" : "buttonPrompts.key", "=", idOrKey)
    .executeTakeFirstOrThrow(notFound);
  const place = { userId: ctx.user.id, courseId, ...company };
  if (!(await findVisible(ctx, [button], place)).has(button.id)) throw new Problem(409, "buttonPrompts.notVisible");
  const { runId, left } = await startRun(ctx, button, place);
  try {
    const { text, values, costMicros } = await answer(ctx, button, place, input);
    await inTransaction(ctx.db, async (tx) => {
      for (const { variableId, value } of values)
        await tx
          .insertInto("variableValues")
          .values({
            variableId,
            userId: place.userId,
            companyId: place.companyId,
            courseId,
            source: "api",
            value: JSON.stringify(value),
            happenedAt: sql<string>`now()`,
          })
          .execute();
      if (values.length > 0) await announceStoredValues(tx);
      await tx.updateTable("buttonRuns").set({ status: "done", costMicros }).where("id", "=", runId).execute();
    });
    return { isAnswered: true, text, values: Object.fromEntries(values.map(({ key, value }) => [key, value])), left };
  } catch (error) {
    await ctx.db.updateTable("buttonRuns").set({ status: "failed" }).where("id", "=", runId).execute();
    if (!(error instanceof GatewayError)) throw error;
    return {
      isAnswered: false,
      text: error.text ?? button.failureText,
      values: {},
      left: left === null ? null : left + 1,
    };
  }
}

/** Checks limit and cooldown and counts the run, for one run of a learner at a time. */
async function startRun(ctx: Ctx<User>, button: Button, place: Place) {
  const { dailyLimit, cooldownSeconds, id } = button;
  return inTransaction(ctx.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`button ${id} ${place.userId}`}, 0))`.execute(tx);
    const { today, seconds } = runsOf(await countRuns({ db: tx }, [id], place), id);
    if (dailyLimit !== null && today >= dailyLimit)
      throw new Problem(429, "buttonPrompts.limit", { values: { count: dailyLimit } });
    if (seconds !== null && seconds < cooldownSeconds) {
      const wait = Math.ceil(cooldownSeconds - seconds);
      throw new Problem(429, "buttonPrompts.cooldown", { values: { seconds: wait }, details: { seconds: wait } });
    }
    const { userId, companyId, courseId } = place;
    const run = await tx
      .insertInto("buttonRuns")
      .values({ buttonId: id, userId, companyId, courseId })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { runId: run.id, left: dailyLimit === null ? null : dailyLimit - today - 1 };
  });
}

type Output = { key: string; variableId: string; type: VariableType; constraints: Constraints; about: string };

async function answer(ctx: Ctx<User>, button: Button, place: Place, input: string) {
  const { body, versionId, connectorId, model } = button;
  if (!body) throw new GatewayError("disabled");
  const values = await readTemplateValues(ctx.db, [body], { ...place, attemptId: null, reader: "model" });
  values.set("input", { value: input, type: "text", unit: "" });
  const { text } = renderTemplate(body, values, { ...TEMPLATE_WORDS, target: "plain" });
  const hasInput = keysOfTemplate(body).includes("input");
  const call: GatewayCall = {
    purpose: "button",
    connectorId,
    model,
    companyId: place.companyId,
    userId: place.userId,
    promptVersionId: versionId,
    messages:
      hasInput || input === ""
        ? [{ role: "user", content: text }]
        : [
            { role: "system", content: text },
            { role: "user", content: input },
          ],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
  const outputs = await readOutputs(ctx, button);
  if (outputs.length === 0) {
    const completion = await complete(ctx, call);
    // Without a provider, the built-in connector answers, which can only quote passages.
    if (completion.connector.isBuiltin) throw new GatewayError("no_model");
    return { text: completion.text, values: [], costMicros: completion.usage.costMicros };
  }
  const { value, usage } = await completeStructured(ctx, call, schemaOf(outputs));
  const { answer: words, ...filled } = value as Record<string, VariableValue>;
  const written = outputs.map(({ key, variableId, type, constraints }) => {
    const parsed = parseVariableValue({ type, constraints }, filled[key] ?? null);
    // A constraint that a schema cannot express, such as the step of a number.
    if (parsed.refusal) throw new GatewayError("bad_structure");
    return { key, variableId, value: parsed.value };
  });
  return { text: String(words), values: written, costMicros: usage.costMicros };
}

async function readOutputs({ db }: Ctx<User>, { outputs }: Button): Promise<Output[]> {
  if (outputs.length === 0) return [];
  const keys = outputs.map(({ key }) => key);
  const rows = await db
    .selectFrom("variables")
    .where("key", "in", keys)
    .where("status", "=", "active")
    .where("scope", "<>", "attempt")
    .select(["id as variableId", "key", "type", "constraints"])
    .execute();
  return outputs.flatMap(({ key, about }) => {
    const found = rows.find((row) => row.key === key);
    return found ? [{ ...found, about }] : [];
  });
}

/** The shape of an answer: its text, and a field for each variable with the limits of its definition. */
const schemaOf = (outputs: Output[]) =>
  z.object({
    answer: z.string().describe("The answer for the person"),
    ...Object.fromEntries(outputs.map((output) => [output.key, fieldOf(output).describe(output.about || output.key)])),
  });

function fieldOf({ type, constraints: { min, max, maxLength, options } }: Output): z.ZodType {
  if (type === "number" || type === "duration") {
    let number = z.number();
    if (min !== undefined) number = number.min(min);
    return max === undefined ? number : number.max(max);
  }
  if (type === "boolean") return z.boolean();
  if (type === "choice" && options) return z.enum(options as [string, ...string[]]);
  if (type === "multi" && options) return z.array(z.enum(options as [string, ...string[]]));
  return maxLength === undefined ? z.string() : z.string().max(maxLength);
}
