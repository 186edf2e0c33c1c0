import { type ExpressionBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { selectValues } from "#server/variables/valueRows.ts";

// The values that pass through flows, each once per flow

/** What is read of a flow, with its source (`variables`) and its target. */
export const flowColumns = [
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
  "webhooks.includesNames",
] as const;

type FlowTables = DB & { target: DB["variables"] };
/** A variable may become sensitive after its flows were made: its values are masked everywhere, also at the target. */
export const isPrivateEnough = (e: ExpressionBuilder<FlowTables, "variables" | "target">) =>
  e.or([e("variables.privacy", "!=", "sensitive"), e("target.privacy", "=", "sensitive")]);

/** Flows to a webhook of one company pass only values of that company. `values` is the table with their company. */
export const isOfWebhookCompany = (values: "v" | "c") =>
  sql<boolean>`(webhooks.company_id is null or webhooks.company_id = ${sql.ref(`${values}.companyId`)})`;

const isSinceFlow = (value: "v" | "replaced") =>
  sql<boolean>`(${sql.ref(`${value}.tx`)}, ${sql.ref(`${value}.id`)}) > (flows.since_tx, flows.since_value_id)`;

/**
 * `replaced`: the values that a correction `v`, or a copy of one, takes the place of, and the copies of these values.
 * An example: value 1 was captured, and a flow made copy 2 of it (`origin_id` 1). Then an admin corrected it with value
 * 3 (`corrects` 1), of which the flow made copy 4 (`origin_id` 3). For `v` 3 and for `v` 4, `correction` is 3,
 * `corrected` is 1, and `replaced` are 1 and 2. A later correction 5 corrects 1 as well: for it, `corrected` are 1 and
 * 3, and `replaced` are 1, 2, 3 and 4.
 *
 * `first_id` is the first value of a chain of copies, which all of them name. `offset 0` makes PostgreSQL find each
 * value by its own index; with statistics from before many values arrived, it would search all values of a variable or
 * of a flow for each.
 */
const replacedValues = sql`variable_values correction cross join lateral (
    select f.id, coalesce(f.origin_id, f.id) as first_id from variable_values f where f.id = correction.corrects
    union all
    select f.id, coalesce(f.origin_id, f.id) from variable_values f
      where f.corrects = correction.corrects and f.id <> correction.id offset 0) corrected
  cross join lateral (
    select f.id, f.tx, f.variable_id, null::uuid as flow_id from variable_values f where f.id = corrected.id
    union all
    select f.id, f.tx, f.variable_id, f.flow_id from variable_values f where f.origin_id = corrected.first_id offset 0) replaced
  where correction.id = coalesce(v.origin_id, v.id) and correction.corrects is not null`;
/** Those of them that are, or were copied, in the variable of `v`. */
const replacedInVariable = sql`${replacedValues} and replaced.variable_id = v.variable_id`;

/** True for a correction, or a copy of one, of a value that this flow has passed on to a variable. */
const correctsCopied = sql<boolean>`exists (select from ${replacedValues} and replaced.flow_id = flows.id)`;

/** True for a correction, or a copy of one, of a value that this flow has put into the queue of a webhook. */
const correctsDelivered = sql<boolean>`exists (select from ${replacedInVariable}
  and (select true from webhook_deliveries d where d.value_id = replaced.id and d.flow_id = flows.id limit 1))`;

/**
 * True for a correction, or a copy of one, of a value that the backfill of a sum comprises, if it was made after that
 * began. The value has passed, or it does not pass any more because it was corrected.
 */
const correctsBackfilled = sql<boolean>`((v.tx, v.id) > (backfill.until_tx, backfill.until_value_id)
  and exists (select from ${replacedInVariable} and (replaced.tx, replaced.id) <= (backfill.until_tx, backfill.until_value_id)))`;

/**
 * True for a correction, or a copy of one, of a value that is older than the flow: it did not pass, so its correction
 * does not.
 */
const correctsOlder = sql<boolean>`exists (select from ${replacedInVariable} and not (${isSinceFlow("replaced")}))`;

/**
 * True for a correction of what a flow has passed on, or has to: it passes at any time, because its copy replaces one.
 */
const correctsPassed = sql<boolean>`(${correctsCopied} or ${correctsBackfilled} is true)`;

/**
 * Deleted values pass to variables as well: their copies are deleted with them, and come back with them when they are
 * restored, unless they are about to be removed for good.
 */
const isKept = (e: ExpressionBuilder<FlowTables & { v: DB["variableValues"] }, "v" | "flows">) =>
  e.or([
    e("v.deletionId", "is", null),
    e.and([
      e("flows.targetVariableId", "is not", null),
      sql<boolean>`not exists (select from variable_deletions d where d.id = v.deletion_id and d.purged_at is not null)`,
    ]),
  ]);

/** Stored values with the flows that begin at their variables. */
export const selectFlowValues = (tx: Tx) =>
  selectValues(tx)
    .innerJoin("flows", "flows.sourceVariableId", "v.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("v.refusal", "is", null)
    .where("v.preview", "=", false)
    .where("v.isCorrected", "=", sql<boolean>`false`)
    .where(isKept)
    .where(isPrivateEnough)
    .where(isOfWebhookCompany("v"))
    .select(flowColumns)
    .select(["v.sessionId", "v.recordedAt", sql<number | null>`coalesce(v.origin_id, v.id)`.as("originId")]);

/**
 * Values and the flows through which they pass. A flow whose backfill has begun passes on what is stored later as any
 * other. The correction of a value that a flow has passed on passes as well while the flow is paused or its variables
 * are archived: what was passed on does not count any more. The rows stay as they are until the transaction ends, so
 * that a deletion at the same time finds what was passed on.
 */
export const selectPassing = (tx: Tx, ids: number[]) =>
  selectFlowValues(tx)
    .leftJoin("flowBackfills as backfill", "backfill.flowId", "flows.id")
    .where("v.id", "in", ids)
    .where((e) =>
      e.or([
        e.and([
          e("flows.isActive", "=", true),
          e.or([e("flows.backfillPending", "=", false), e("backfill.flowId", "is not", null)]),
          e("variables.status", "=", "active"),
          isSinceFlow("v"),
          sql<boolean>`not ${correctsOlder}`,
        ]),
        correctsPassed,
        correctsDelivered,
      ]),
    )
    .select(correctsPassed.as("correctsPassed"))
    .orderBy("v.tx")
    .orderBy("v.id")
    .orderBy("flows.id")
    .forShare("v");

type Row = Awaited<ReturnType<ReturnType<typeof selectPassing>["execute"]>>[number];
/** `id` is null for what is current of values that were removed. */
export type Passing = Omit<Row, "id" | "refusal" | "preview" | "isCorrected" | "corrects" | "writeMode"> & {
  id: number | null;
};
