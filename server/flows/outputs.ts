import { createHmac } from "node:crypto";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import type { Passing } from "#server/flows/dueValues.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";
import { type Constraints, type VariableType, type VariableValue } from "#shared/variables/variableTypes.ts";

// The outputs of flows: copies in other variables, and deliveries to webhooks

/** A value and the result of its flow. */
export type Transformed = { row: Passing; value: VariableValue };
/** The numbers of values that the target of a flow has accepted and refused. */
export type Counts = { fired: number; refused: number };

/** Rows per statement; PostgreSQL allows 65,535 parameters in one. */
const BATCH = 1000;

function addTo(counts: Map<string, Counts>, flowId: string, { fired = 0, refused = 0 }: Partial<Counts>) {
  const before = counts.get(flowId) ?? { fired: 0, refused: 0 };
  counts.set(flowId, { fired: before.fired + fired, refused: before.refused + refused });
}

function* batchesOf<T>(rows: T[]) {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
}

/**
 * Stores copies of values: one for each course of the target if its scope is the course, otherwise one. Returns their
 * number.
 */
export async function storeCopies(tx: Tx, passing: Transformed[], counts: Map<string, Counts>): Promise<number> {
  const targets = [...new Set(passing.flatMap(({ row }) => row.targetVariableId ?? []))];
  if (targets.length === 0) return 0;
  const uses = await tx
    .selectFrom("variableCourses")
    .where(isOneOf("variableId", targets))
    .select(["variableId", "courseId"])
    .orderBy("courseId")
    .execute();
  const coursesOf = Map.groupBy(uses, ({ variableId }) => variableId);
  const copies = passing.flatMap(({ row, value }) => {
    const { targetVariableId, targetScope, targetStatus, targetType, targetConstraints } = row;
    const isOpen = targetStatus === "active" || row.correctsPassed;
    if (!targetVariableId || !isOpen || targetScope === "attempt") return [];
    const courses = (coursesOf.get(targetVariableId) ?? []).map(({ courseId }) => courseId);
    const courseIds = targetScope === "course" ? courses : [courses.length === 1 ? (courses[0] ?? null) : null];
    const definition = { type: targetType as VariableType, constraints: targetConstraints as Constraints };
    const parsed = parseVariableValue(definition, value);
    // A deleted value that would be refused does not count, even if it is restored.
    if (row.deletionId !== null && parsed.refusal) return [];
    if (row.deletionId === null)
      addTo(counts, row.flowId, { [parsed.refusal ? "refused" : "fired"]: courseIds.length });
    return courseIds.map((courseId) => ({
      variableId: targetVariableId,
      userId: row.userId,
      companyId: row.companyId,
      courseId,
      sessionId: row.sessionId,
      source: "flow" as const,
      value: JSON.stringify(parsed.refusal ? value : parsed.value),
      refusal: parsed.refusal ?? null,
      originId: row.originId,
      flowId: row.flowId,
      happenedAt: row.happenedAt,
      deletionId: row.deletionId,
    }));
  });
  for (const batch of batchesOf(copies)) await tx.insertInto("variableValues").values(batch).execute();
  return copies.length;
}

/**
 * Adds events to the queues of webhooks and returns their number. Unless the webhook includes names, the learner has a
 * pseudonym, always the same for a webhook.
 */
export async function storeDeliveries(
  { config }: Pick<Services, "config">,
  tx: Tx,
  passing: Transformed[],
  counts: Map<string, Counts>,
): Promise<number> {
  const sent = passing.filter(({ row }) => row.targetWebhookId !== null);
  const learners = await readLearners(
    tx,
    sent.flatMap(({ row }) => (row.includesNames && row.userId ? row.userId : [])),
  );
  const deliveries = sent.map(({ row, value }) => {
    const { userId, flowId } = row;
    const webhookId = row.targetWebhookId as string;
    const eventId = crypto.randomUUID();
    const hash = () => createHmac("sha256", config.secret).update(`webhook ${webhookId} ${userId}`).digest("hex");
    const body = {
      id: eventId,
      type: "variable.value",
      happenedAt: row.happenedAt,
      recordedAt: row.recordedAt,
      variable: { id: row.variableId, key: row.key, label: row.label, type: row.type },
      value,
      learner: userId && (row.includesNames ? learners.get(userId) : { pseudonym: hash().slice(0, 16) }),
      companyId: row.companyId,
      courseId: row.courseId,
      attemptId: row.attemptId,
      sessionId: row.sessionId,
    };
    return { eventId, webhookId, flowId, valueId: row.id, userId, body: JSON.stringify(body) };
  });
  let stored = 0;
  for (const batch of batchesOf(deliveries)) {
    const added = await tx
      .insertInto("webhookDeliveries")
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .returning("flowId")
      .execute();
    for (const { flowId } of added) if (flowId) addTo(counts, flowId, { fired: 1 });
    stored += added.length;
  }
  return stored;
}

async function readLearners(tx: Tx, ids: string[]) {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("users")
    .where(isOneOf("id", [...new Set(ids)]))
    .select(["id", "name", "email"])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
