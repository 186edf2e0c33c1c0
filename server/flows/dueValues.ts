import { type ExpressionBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { selectValues } from "#server/variables/fold/values.ts";

// The stored values that are due to pass through flows, each once per flow

/** The columns of a flow, its source (`variables`) and its target. */
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
/** A variable may become sensitive after its flows were created; its values must then be masked at the target, too. */
export const isPrivateEnough = (e: ExpressionBuilder<FlowTables, "variables" | "target">) =>
  e.or([e("variables.privacy", "!=", "sensitive"), e("target.privacy", "=", "sensitive")]);

/** Flows to a webhook of one company pass only values of that company. `values`: the table with the company. */
export const isOfWebhookCompany = (values: "stored" | "current" | "sums") =>
  sql<boolean>`(webhooks.company_id is null or webhooks.company_id = ${sql.ref(`${values}.companyId`)})`;

const isSinceFlow = (value: "stored" | "replaced") =>
  sql<boolean>`(${sql.ref(`${value}.tx`)}, ${sql.ref(`${value}.id`)}) > (flows.since_tx, flows.since_value_id)`;

/**
 * The tables and conditions of `replaced`: the values that a correction `stored`, or a copy of one, replaces, and their
 * copies. Example: value 1 was captured, and a flow made copy 2 of it (`origin_id` 1). Then an admin corrected it with
 * value 3 (`corrects` 1), of which the flow made copy 4 (`origin_id` 3). If `stored` is 3 or 4, `correction` is 3,
 * `corrected` is 1, and `replaced` are 1 and 2. A later correction 5 also corrects 1: for it, `corrected` are 1 and 3,
 * and `replaced` are 1, 2, 3 and 4.
 *
 * `first_id` is the first value of a chain of copies, which all copies have as `origin_id`. `offset 0` makes PostgreSQL
 * find each value by its index; with statistics from before many values arrived, it would otherwise scan all values of
 * a variable or a flow for each.
 */
const replacedValues = sql`
    variable_values correction
    cross join lateral (
      select id, coalesce(origin_id, id) as first_id
      from variable_values
      where id = correction.corrects
      union all
      select id, coalesce(origin_id, id)
      from variable_values
      where corrects = correction.corrects
        and id <> correction.id
      offset 0
    ) corrected
    cross join lateral (
      select id, tx, variable_id, null::uuid as flow_id
      from variable_values
      where id = corrected.id
      union all
      select id, tx, variable_id, flow_id
      from variable_values
      where origin_id = corrected.first_id
      offset 0
    ) replaced
    where correction.id = coalesce(stored.origin_id, stored.id)
      and correction.corrects is not null`;
/** The `replaced` values in the variable of `stored`. */
const replacedInVariable = sql`${replacedValues}
      and replaced.variable_id = stored.variable_id`;

/** A correction, or a copy of one, of a value that this flow has passed on to a variable. */
const correctsCopied = sql<boolean>`exists (
    select
    from ${replacedValues}
      and replaced.flow_id = flows.id
  )`;

/** A correction, or a copy of one, of a value that this flow has queued for a webhook. */
const correctsDelivered = sql<boolean>`exists (
    select
    from ${replacedInVariable}
      and (
        select true
        from webhook_deliveries
        where webhook_deliveries.value_id = replaced.id
          and webhook_deliveries.flow_id = flows.id
        limit 1
      )
  )`;

/**
 * A correction, or a copy of one, made after the backfill of a sum began, of a value that belongs to the backfill. The
 * value has passed, or no longer passes because it was corrected.
 */
const correctsBackfilled = sql<boolean>`(
    (stored.tx, stored.id) > (backfill.until_tx, backfill.until_value_id)
    and exists (
      select
      from ${replacedInVariable}
        and (replaced.tx, replaced.id) <= (backfill.until_tx, backfill.until_value_id)
    )
  )`;

/** A correction, or a copy of one, of a value older than the flow: the value did not pass, nor does its correction. */
const correctsOlder = sql<boolean>`exists (
    select
    from ${replacedInVariable}
      and not (${isSinceFlow("replaced")})
  )`;

/** A correction of a value that a flow has passed on, or will. It always passes, because its copy replaces another. */
const correctsPassed = sql<boolean>`(${correctsCopied} or ${correctsBackfilled} is true)`;

/**
 * Deleted values pass to variables, too: their copies are deleted with them and restored with them. Values that are
 * about to be removed for good do not pass.
 */
const isKept = (e: ExpressionBuilder<FlowTables & { stored: DB["variableValues"] }, "stored" | "flows">) =>
  e.or([
    e("stored.deletionId", "is", null),
    e.and([
      e("flows.targetVariableId", "is not", null),
      sql<boolean>`not exists (
        select
        from variable_deletions
        where variable_deletions.id = stored.deletion_id
          and variable_deletions.purged_at is not null
      )`,
    ]),
  ]);

/** Stored values with the flows from their variables. */
export const selectFlowValues = (tx: Tx) =>
  selectValues(tx)
    .innerJoin("flows", "flows.sourceVariableId", "stored.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("stored.refusal", "is", null)
    .where("stored.preview", "=", false)
    .where("stored.isCorrected", "=", sql<boolean>`false`)
    .where(isKept)
    .where(isPrivateEnough)
    .where(isOfWebhookCompany("stored"))
    .select(flowColumns)
    .select([
      "stored.sessionId",
      "stored.recordedAt",
      sql<number | null>`coalesce(stored.origin_id, stored.id)`.as("originId"),
    ]);

/**
 * The values `ids` with the flows through which they are due to pass. A flow whose backfill has begun passes on later
 * values like any other. The correction of a value that a flow has passed on passes even while the flow is paused or
 * its variables are archived, because the copy no longer counts. Locks the values until the transaction ends, so that a
 * simultaneous deletion finds the copies.
 */
export const selectPassing = (tx: Tx, ids: number[]) =>
  selectFlowValues(tx)
    .leftJoin("flowBackfills as backfill", "backfill.flowId", "flows.id")
    .where("stored.id", "in", ids)
    .where((e) =>
      e.or([
        e.and([
          e("flows.isActive", "=", true),
          e.or([e("flows.backfillPending", "=", false), e("backfill.flowId", "is not", null)]),
          e("variables.status", "=", "active"),
          isSinceFlow("stored"),
          sql<boolean>`not ${correctsOlder}`,
        ]),
        correctsPassed,
        correctsDelivered,
      ]),
    )
    .select(correctsPassed.as("correctsPassed"))
    .orderBy("stored.tx")
    .orderBy("stored.id")
    .orderBy("flows.id")
    .forShare("stored");

type Row = Awaited<ReturnType<ReturnType<typeof selectPassing>["execute"]>>[number];
/** A value that is due to pass; `id` is null if the value was removed. */
export type Passing = Omit<Row, "id" | "refusal" | "preview" | "isCorrected" | "corrects" | "writeMode"> & {
  id: number | null;
};
