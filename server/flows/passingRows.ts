import { type ExpressionBuilder, sql } from "kysely";
import type { Tx } from "#server/core/db.ts";
import type { DB } from "#server/core/db.types.ts";
import { selectValues } from "#server/variables/folding.ts";

// The values that pass through flows, each once per flow

/** What is read of a flow, with its source (`variables`) and its target. */
const flowColumns = [
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
const isPrivateEnough = (e: ExpressionBuilder<FlowTables, "variables" | "target">) =>
  e.or([e("variables.privacy", "!=", "sensitive"), e("target.privacy", "=", "sensitive")]);

/** True for a correction, or a copy of one, of a value that this flow has passed on to a variable. */
const isReplacement = sql<boolean>`exists (
  select from variable_values origin, variable_values former, variable_values copy
  where origin.id = coalesce(v.origin_id, v.id) and (former.id = origin.corrects or former.corrects = origin.corrects)
    and former.id <> origin.id and copy.origin_id = coalesce(former.origin_id, former.id) and copy.flow_id = flows.id)`;

/**
 * Values and the flows through which they pass. The correction of a value that a flow has passed on passes as well while the flow is
 * paused or its variables are archived: its copy does not count any more. The rows stay as they are until the transaction ends, so
 * that a deletion at the same time finds what was passed on.
 */
export const selectPassing = (tx: Tx, ids: number[]) =>
  selectValues(tx)
    .innerJoin("flows", "flows.sourceVariableId", "v.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("v.id", "in", ids)
    .where("v.refusal", "is", null)
    .where("v.preview", "=", false)
    .where("v.isCorrected", "=", sql<boolean>`false`)
    .where("v.deletionId", "is", null)
    .where(isPrivateEnough)
    .where((e) =>
      e.or([
        e.and([
          e("flows.isActive", "=", true),
          e("flows.waits", "=", false),
          e("variables.status", "=", "active"),
          sql<boolean>`(v.tx, v.id) > (flows.since_tx, flows.since_value_id)`,
        ]),
        isReplacement,
      ]),
    )
    .select(flowColumns)
    .select([
      "v.sessionId",
      "v.recordedAt",
      sql<number | null>`coalesce(v.origin_id, v.id)`.as("originId"),
      isReplacement.as("isReplacement"),
    ])
    .orderBy("v.tx")
    .orderBy("v.id")
    .orderBy("flows.id")
    .forShare("v");

/** A sum of several values comes from none of them. */
const isSum = sql<boolean>`(variables.write_mode = 'sum' and c.count > 1)`;

/**
 * The current values of the source of a flow as they are folded, ordered by subject. A value that has been removed since may be
 * missing (`id`). The transaction holds the lock of the folding.
 */
export const selectCurrent = (tx: Tx, flowId: string, { after, limit }: { after: string; limit: number }) =>
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
    .where("variables.status", "=", "active")
    .where(isPrivateEnough)
    .select(flowColumns)
    .select([
      "c.subject",
      "v.id",
      "c.variableId",
      "c.companyId",
      sql<string | null>`coalesce(c.user_id, case when not ${isSum} then v.user_id end)`.as("userId"),
      sql<string | null>`coalesce(c.course_id, v.course_id)`.as("courseId"),
      sql<string | null>`coalesce(c.attempt_id, v.attempt_id)`.as("attemptId"),
      "c.current as value",
      "c.currentAt as happenedAt",
      sql<string>`coalesce(v.recorded_at, c.last_at)`.as("recordedAt"),
      "v.sessionId",
      "variables.type",
      "variables.status",
      sql<number | null>`case when not ${isSum} then coalesce(v.origin_id, v.id) end`.as("originId"),
      sql<boolean>`false`.as("isReplacement"),
    ])
    .orderBy("c.subject")
    .limit(limit);

type RowOf<Q extends { execute: () => Promise<unknown[]> }> = Awaited<ReturnType<Q["execute"]>>[number];
export type Passing = RowOf<ReturnType<typeof selectPassing>> | RowOf<ReturnType<typeof selectCurrent>>;
