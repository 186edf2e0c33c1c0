import { sql } from "kysely";
import type { Tx } from "#server/core/db.ts";
import { flowColumns, isPrivateEnough, type Passing, selectFlowValues } from "#server/flows/passingRows.ts";
import { subjectOf } from "#server/variables/subjects.ts";

// What a new flow passes on first, if an admin has asked for it: the values that its source has now

/** Values read at once. */
const BATCH = 1000;

/** A flow that has to pass on what is current. */
export type Backfill = { id: string; sourceVariableId: string; writeMode: string };

const selectPending = (tx: Tx) =>
  tx
    .selectFrom("flows")
    .innerJoin("variables", "variables.id", "flows.sourceVariableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .where("flows.backfillPending", "=", true)
    .where("flows.isActive", "=", true)
    .where("variables.status", "=", "active")
    .where((e) => e.or([e("target.id", "is", null), e("target.status", "=", "active")]))
    .where(isPrivateEnough)
    .orderBy("flows.createdAt")
    .select(["flows.id", "flows.sourceVariableId", "flows.targetVariableId", "variables.writeMode"]);

/**
 * The next flow whose current values can pass now; null if there is none. One that is paused, or whose variables are archived or too
 * private, keeps its place until its values may pass. Its variables stay as they are until the transaction ends.
 */
export async function lockNextBackfill(tx: Tx): Promise<Backfill | null> {
  for (;;) {
    const flow = await selectPending(tx).limit(1).forUpdate("flows").executeTakeFirst();
    if (!flow) return null;
    const ends = [flow.sourceVariableId, ...(flow.targetVariableId ? [flow.targetVariableId] : [])];
    await tx.selectFrom("variables").where("id", "in", ends).orderBy("id").forShare().select("id").execute();
    const [locked] = await selectPending(tx).where("flows.id", "=", flow.id).execute();
    if (locked) return locked;
  }
}

/** Batches of what a flow passes on first. The transaction holds the lock of the folding, whose position is `until`. */
export async function* readBackfill(tx: Tx, flow: Backfill, until: { tx: string; valueId: number }) {
  if (flow.writeMode === "sum") {
    yield await selectCheckpoints(tx, flow.id).execute();
    yield* readSummed(tx, flow, until);
  } else yield* readCurrent(tx, flow);
}

async function* readCurrent(tx: Tx, { id }: Backfill): AsyncGenerator<Passing[]> {
  for (let after: string | undefined = ""; after !== undefined;) {
    const rows: (Passing & { subject: string })[] = await selectCurrent(tx, id, after).execute();
    yield rows;
    after = rows.length < BATCH ? undefined : rows.at(-1)?.subject;
  }
}

/**
 * The values that a sum consists of, one by one as later ones: each copy follows its own value when that is corrected, deleted or
 * restored.
 */
async function* readSummed(tx: Tx, flow: Backfill, until: { tx: string; valueId: number }): AsyncGenerator<Passing[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: (Passing & { id: number })[] = await selectFlowValues(tx)
      .where("flows.id", "=", flow.id)
      .where("v.variableId", "=", flow.sourceVariableId)
      .where("v.id", ">", after)
      .where(sql<boolean>`(v.tx, v.id) <= (${until.tx}::xid8, ${until.valueId}::bigint)`)
      .select(sql<boolean>`false`.as("isReplacement"))
      .orderBy("v.id")
      .limit(BATCH)
      .execute();
    yield rows.filter((row) => subjectOf(row.scope, row) !== null);
    after = rows.length < BATCH ? undefined : rows.at(-1)?.id;
  }
}

/** Columns that what is current has no values for. */
const nothing = {
  deletionId: sql<string | null>`null::uuid`.as("deletionId"),
  isReplacement: sql<boolean>`false`.as("isReplacement"),
};

/** What erased people and expired values have added to the sums of companies. It comes from no value that is left, and follows none. */
const selectCheckpoints = (tx: Tx, flowId: string) =>
  tx
    .selectFrom("variableCheckpoints as c")
    .innerJoin("variables", "variables.id", "c.variableId")
    .innerJoin("flows", "flows.sourceVariableId", "c.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("flows.id", "=", flowId)
    .where("variables.scope", "=", "company")
    .select(flowColumns)
    .select([
      "c.variableId",
      "c.companyId",
      "variables.type",
      "variables.scope",
      "variables.status",
      sql<number | null>`null::bigint`.as("id"),
      sql<string | null>`null::uuid`.as("userId"),
      sql<string | null>`null::uuid`.as("courseId"),
      sql<string | null>`null::uuid`.as("attemptId"),
      sql<string | null>`null::uuid`.as("sessionId"),
      sql<number | null>`null::bigint`.as("originId"),
      sql<Passing["value"]>`c.folded -> 'current'`.as("value"),
      sql<string>`to_timestamp((c.folded ->> 'currentAt')::float8 / 1000)`.as("happenedAt"),
      sql<string>`to_timestamp((c.folded ->> 'lastAt')::float8 / 1000)`.as("recordedAt"),
      nothing.deletionId,
      nothing.isReplacement,
    ])
    .orderBy("c.companyId");

/** The current values of the source of a flow as they are folded, ordered by subject. A value that has been removed since is missing (`id`). */
const selectCurrent = (tx: Tx, flowId: string, after: string) =>
  tx
    .selectFrom("variableCurrent as c")
    .innerJoin("variables", "variables.id", "c.variableId")
    .innerJoin("flows", "flows.sourceVariableId", "c.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("variableValues as one")
          .where((of) =>
            of.or([of("one.id", "=", of.ref("c.currentId")), of("one.corrects", "=", of.ref("c.currentId"))]),
          )
          .where("one.isCorrected", "=", sql<boolean>`false`)
          .where("one.deletionId", "is", null)
          .where("one.refusal", "is", null)
          .selectAll("one")
          .limit(1)
          .as("v"),
      (join) => join.onTrue(),
    )
    .where("flows.id", "=", flowId)
    .where("c.subject", ">", after)
    .select(flowColumns)
    .select([
      "c.subject",
      "v.id",
      "c.variableId",
      "c.companyId",
      sql<string | null>`coalesce(c.user_id, v.user_id)`.as("userId"),
      sql<string | null>`coalesce(c.course_id, v.course_id)`.as("courseId"),
      sql<string | null>`coalesce(c.attempt_id, v.attempt_id)`.as("attemptId"),
      "c.current as value",
      "c.currentAt as happenedAt",
      sql<string>`coalesce(v.recorded_at, c.last_at)`.as("recordedAt"),
      "v.sessionId",
      "variables.type",
      "variables.scope",
      "variables.status",
      sql<number | null>`coalesce(v.origin_id, v.id)`.as("originId"),
      nothing.deletionId,
      nothing.isReplacement,
    ])
    .orderBy("c.subject")
    .limit(BATCH);
