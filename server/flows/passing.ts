import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/db.ts";
import { announceChange } from "#server/core/live/announce.ts";
import type { Services } from "#server/core/services.ts";
import { isAfter, readStoredValue, selectValues } from "#server/variables/folding.ts";
import { readTemplateValues } from "#server/variables/templates.ts";
import { type Transform, transformValue } from "#shared/flows.ts";
import { keysOfTemplate } from "#shared/templates.ts";
import { parseVariableValue, type Constraints, type VariableType, type VariableValue } from "#shared/variableValues.ts";

// Values pass through the flows after they were folded, exactly once: the cursor moves in the transaction that stores the copies
// and the deliveries. A copy is a value of its own and passes through further flows.

/** Values per transaction. */
const BATCH = 1000;

type Passing = Awaited<ReturnType<ReturnType<typeof selectPassing>["execute"]>>[number];
const selectPassing = (tx: Tx) =>
  selectValues(tx)
    .innerJoin("flows", "flows.sourceVariableId", "v.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("flows.isActive", "=", true)
    .where("v.refusal", "is", null)
    .where("v.preview", "=", false)
    .where("v.isCorrected", "=", sql<boolean>`false`)
    .where("v.deletionId", "is", null)
    .where("variables.status", "=", "active")
    .select([
      "v.originId",
      "v.sessionId",
      "v.recordedAt",
      "variables.key",
      "variables.label",
      "variables.unit",
      "flows.id as flowId",
      "flows.transform",
      "flows.targetWebhookId",
      "flows.targetVariableId",
      "target.type as targetType",
      "target.constraints as targetConstraints",
      "target.scope as targetScope",
      "target.status as targetStatus",
      "webhooks.companyId as webhookCompanyId",
      "webhooks.includesNames",
    ])
    .orderBy("v.tx")
    .orderBy("v.id")
    .orderBy("flows.id");

/** `isMore`: there is more to pass on now. The others: what was stored, which somebody has to fold or to send. */
export type Passed = { isMore: boolean; copies: number; deliveries: number };
const NOTHING: Passed = { isMore: false, copies: 0, deliveries: 0 };

/** Passes on the values that were folded since the last call, at most BATCH of them. */
export async function passBatch(services: Pick<Services, "db" | "config">): Promise<Passed> {
  return inTransaction(services.db, async (tx) => {
    const cursor = await tx.selectFrom("flowCursor").selectAll().forUpdate().skipLocked().executeTakeFirst();
    const folded = await tx.selectFrom("variableFold").selectAll().executeTakeFirstOrThrow();
    if (!cursor) return NOTHING;
    const batch = await tx
      .selectFrom("variableValues as v")
      .where(isAfter(cursor))
      .where(sql<boolean>`(v.tx, v.id) <= (${folded.tx}::xid8, ${folded.valueId}::bigint)`)
      .orderBy("v.tx")
      .orderBy("v.id")
      .limit(BATCH)
      .select([sql<string>`v.tx::text`.as("tx"), "v.id"])
      .execute();
    const last = batch.at(-1);
    if (!last) return NOTHING;
    const rows = await selectPassing(tx)
      .where(
        "v.id",
        "in",
        batch.map(({ id }) => id),
      )
      .where(sql<boolean>`v.tx >= flows.since_tx`)
      .execute();
    const stored = await passOn(services, tx, rows);
    await tx
      .updateTable("flowCursor")
      .set({ tx: sql`${last.tx}::xid8`, valueId: last.id })
      .execute();
    return { ...stored, isMore: batch.length === BATCH };
  });
}

/** Passes on the current values of a variable through a new flow. */
export async function passCurrent(services: Pick<Services, "config">, tx: Tx, flowId: string) {
  const rows = await selectPassing(tx)
    .where("flows.id", "=", flowId)
    .where((e) =>
      e(
        "v.id",
        "in",
        e.selectFrom("variableCurrent as c").whereRef("c.variableId", "=", "v.variableId").select("c.currentId"),
      ),
    )
    .execute();
  await passOn(services, tx, rows);
}

async function passOn(services: Pick<Services, "config">, tx: Tx, rows: Passing[]) {
  const stored = { copies: 0, deliveries: 0 };
  if (rows.length === 0) return stored;
  const counts = new Map<string, { fired: number; refused: number }>();
  for (const row of rows) {
    const value = readStoredValue(row);
    if (value === undefined) continue;
    const result = await transformRow(tx, row, value);
    if (result === undefined) continue;
    const passed = row.targetWebhookId
      ? await addDelivery(services, tx, row, result)
      : await addCopies(tx, row, result);
    stored[row.targetWebhookId ? "deliveries" : "copies"] += passed.fired + passed.refused;
    const count = counts.get(row.flowId) ?? { fired: 0, refused: 0 };
    counts.set(row.flowId, { fired: count.fired + passed.fired, refused: count.refused + passed.refused });
  }
  for (const [id, { fired, refused }] of counts)
    await tx
      .updateTable("flows")
      .set({
        fired: sql`fired + ${fired}`,
        refused: sql`refused + ${refused}`,
        ...(fired > 0 && { lastFiredAt: sql<string>`now()` }),
      })
      .where("id", "=", id)
      .execute();
  await announceChange(tx, { domain: "flows" });
  return stored;
}

async function transformRow(tx: Tx, row: Passing, value: VariableValue) {
  const transform: Transform = row.transform;
  const hasOthers = transform.kind === "template" && keysOfTemplate(transform.text).some((key) => key !== "value");
  const others = hasOthers
    ? await readTemplateValues(tx, [(transform as { text: string }).text], { ...row, reader: "learner" })
    : new Map();
  return transformValue(transform, { value, type: row.type, unit: row.unit }, others);
}

/** Stores a copy for each course of the target that its scope needs; a course is not needed for values of learners and companies. */
async function addCopies(tx: Tx, row: Passing, value: VariableValue) {
  if (!row.targetVariableId || row.targetStatus !== "active" || row.targetScope === "attempt")
    return { fired: 0, refused: 0 };
  const courses = await tx
    .selectFrom("variableCourses")
    .where("variableId", "=", row.targetVariableId)
    .select("courseId")
    .orderBy("courseId")
    .execute();
  const isOfCourse = row.targetScope === "course";
  const courseIds = isOfCourse
    ? courses.map(({ courseId }) => courseId)
    : [courses.length === 1 ? courses[0]?.courseId : null];
  const parsed = parseVariableValue(
    { type: row.targetType as VariableType, constraints: row.targetConstraints as Constraints },
    value,
  );
  for (const courseId of courseIds)
    await tx
      .insertInto("variableValues")
      .values({
        variableId: row.targetVariableId,
        userId: row.userId,
        companyId: row.companyId,
        courseId: courseId ?? null,
        sessionId: row.sessionId,
        source: "flow",
        value: JSON.stringify(parsed.refusal ? value : parsed.value),
        refusal: parsed.refusal ?? null,
        originId: row.originId ?? row.id,
        flowId: row.flowId,
        happenedAt: row.happenedAt,
      })
      .execute();
  return parsed.refusal ? { fired: 0, refused: courseIds.length } : { fired: courseIds.length, refused: 0 };
}

/** Puts an event into the queue of a webhook. By default the learner is named by a pseudonym, always the same for this webhook. */
async function addDelivery({ config }: Pick<Services, "config">, tx: Tx, row: Passing, value: VariableValue) {
  const nothing = { fired: 0, refused: 0 };
  const webhookId = row.targetWebhookId as string;
  if (row.webhookCompanyId !== null && row.webhookCompanyId !== row.companyId) return nothing;
  const pseudonym = row.userId
    ? createHmac("sha256", config.secret).update(`webhook ${webhookId} ${row.userId}`).digest("hex").slice(0, 16)
    : null;
  const learner = row.includesNames && row.userId ? await readLearner(tx, row.userId) : { pseudonym };
  const eventId = crypto.randomUUID();
  const body = {
    id: eventId,
    type: "variable.value",
    happenedAt: row.happenedAt,
    recordedAt: row.recordedAt,
    variable: { id: row.variableId, key: row.key, label: row.label, type: row.type },
    value,
    learner: row.userId ? learner : null,
    companyId: row.companyId,
    courseId: row.courseId,
    attemptId: row.attemptId,
    sessionId: row.sessionId,
  };
  const added = await tx
    .insertInto("webhookDeliveries")
    .values({ eventId, webhookId, flowId: row.flowId, valueId: row.id, userId: row.userId, body: JSON.stringify(body) })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return { fired: added.length, refused: 0 };
}

const readLearner = (tx: Tx, id: string) =>
  tx.selectFrom("users").where("id", "=", id).select(["id", "name", "email"]).executeTakeFirst();
