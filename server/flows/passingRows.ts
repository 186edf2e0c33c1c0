import { type ExpressionBuilder, sql } from "kysely";
import type { Tx } from "#server/core/db.ts";
import type { DB } from "#server/core/db.types.ts";
import { selectValues } from "#server/variables/folding.ts";

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
  "webhooks.companyId as webhookCompanyId",
  "webhooks.includesNames",
] as const;

type FlowTables = DB & { target: DB["variables"] };
/** A variable may become sensitive after its flows were made: its values are masked everywhere, also at the target. */
export const isPrivateEnough = (e: ExpressionBuilder<FlowTables, "variables" | "target">) =>
  e.or([e("variables.privacy", "!=", "sensitive"), e("target.privacy", "=", "sensitive")]);

const isSinceFlow = (value: "v" | "former") =>
  sql<boolean>`(${sql.ref(`${value}.tx`)}, ${sql.ref(`${value}.id`)}) > (flows.since_tx, flows.since_value_id)`;

/**
 * `former`: the values that a correction `v`, or a copy of one, takes the place of (the one that was captured, and earlier corrections of
 * it), and their copies. A correction names the captured value, a copy the first value of its chain. `offset 0` makes PostgreSQL find
 * each of them by its own index; with statistics from before many values arrived, it would search all values of a variable or of a flow
 * for each.
 */
const replacedValues = sql`variable_values origin cross join lateral (
    select f.id, coalesce(f.origin_id, f.id) as chain from variable_values f where f.id = origin.corrects
    union all
    select f.id, coalesce(f.origin_id, f.id) from variable_values f
      where f.corrects = origin.corrects and f.id <> origin.id offset 0) replaced
  cross join lateral (
    select f.id, f.tx, f.variable_id, null::uuid as flow_id from variable_values f where f.id = replaced.id
    union all
    select f.id, f.tx, f.variable_id, f.flow_id from variable_values f where f.origin_id = replaced.chain offset 0) former
  where origin.id = coalesce(v.origin_id, v.id) and origin.corrects is not null`;
/** Those of them that are, or were copied, in the variable of `v`. */
const formerValues = sql`${replacedValues} and former.variable_id = v.variable_id`;

/** True for a correction, or a copy of one, of a value that this flow has passed on to a variable. */
const isReplacement = sql<boolean>`exists (select from ${replacedValues} and former.flow_id = flows.id)`;

/** True for a correction, or a copy of one, of a value that this flow has put into the queue of a webhook. */
const isOfDelivery = sql<boolean>`exists (select from ${formerValues}
  and (select true from webhook_deliveries d where d.value_id = former.id and d.flow_id = flows.id limit 1))`;

/** True for a correction, or a copy of one, of a value that is older than the flow: it did not pass, so its correction does not. */
const isOfOlderValue = sql<boolean>`exists (select from ${formerValues} and not (${isSinceFlow("former")}))`;

/**
 * Deleted values pass to variables as well: their copies are deleted with them, and come back with them when they are restored, unless
 * they are about to be removed for good.
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
    .select(flowColumns)
    .select(["v.sessionId", "v.recordedAt", sql<number | null>`coalesce(v.origin_id, v.id)`.as("originId")]);

/**
 * Values and the flows through which they pass. The correction of a value that a flow has passed on passes as well while the flow is
 * paused or its variables are archived: its copy does not count any more. The rows stay as they are until the transaction ends, so
 * that a deletion at the same time finds what was passed on.
 */
export const selectPassing = (tx: Tx, ids: number[]) =>
  selectFlowValues(tx)
    .where("v.id", "in", ids)
    .where((e) =>
      e.or([
        e.and([
          e("flows.isActive", "=", true),
          e("flows.backfillPending", "=", false),
          e("variables.status", "=", "active"),
          isSinceFlow("v"),
          e.or([sql<boolean>`not ${isOfOlderValue}`, isOfDelivery]),
        ]),
        isReplacement,
      ]),
    )
    .select(isReplacement.as("isReplacement"))
    .orderBy("v.tx")
    .orderBy("v.id")
    .orderBy("flows.id")
    .forShare("v");

type Row = Awaited<ReturnType<ReturnType<typeof selectPassing>["execute"]>>[number];
/** `id` is null for what is current of values that were removed. */
export type Passing = Omit<Row, "id" | "refusal" | "preview" | "isCorrected" | "corrects" | "writeMode"> & {
  id: number | null;
};
