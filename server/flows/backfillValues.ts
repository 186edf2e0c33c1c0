import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { flowColumns, isOfWebhookCompany, type Passing, selectFlowValues } from "#server/flows/dueValues.ts";
import type { FoldedValue } from "#shared/variables/variableValues.ts";

// What a new flow passes on first, if an admin has asked for it: the values that its source has now

/** Columns that what is current has no values for. */
const nothing = {
  deletionId: sql<string | null>`null::uuid`.as("deletionId"),
  correctsPassed: sql<boolean>`false`.as("correctsPassed"),
};

/**
 * Those of the values `ids` that were folded when the backfill of the flow began. They are locked as those of
 * `selectPassing`, so that each copy follows its own value when that is corrected, deleted or restored.
 */
export const selectSummed = (tx: Tx, flowId: string, ids: number[], until: { tx: string; valueId: number }) =>
  selectFlowValues(tx)
    .where("flows.id", "=", flowId)
    .where("v.id", "in", ids)
    .where(sql<boolean>`(v.tx, v.id) <= (${until.tx}::xid8, ${until.valueId}::bigint)`)
    .select(nothing.correctsPassed)
    .orderBy("v.id")
    .forShare("v");

/**
 * What erased people and expired values have added to the sums of companies. It comes from no value that is left, and
 * follows none.
 */
export const selectRemoved = (tx: Tx, flowId: string) =>
  tx
    .selectFrom("flows")
    .innerJoin("variables", "variables.id", "flows.sourceVariableId")
    .innerJoin(
      sql<{ companyId: string; folded: FoldedValue }>`(select companies.id as company_id, value as folded
        from flow_backfills, jsonb_each(removed) join companies on companies.id = key::uuid where flow_id = ${flowId})`.as(
        "c",
      ),
      (join) => join.onTrue(),
    )
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("flows.id", "=", flowId)
    .where("variables.scope", "=", "company")
    .where(isOfWebhookCompany("c"))
    .select(flowColumns)
    .select([
      "variables.id as variableId",
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
      nothing.correctsPassed,
    ])
    .orderBy("c.companyId");

/**
 * The current values of the source of a flow as they are folded, ordered by subject: `size` of them. A value that has
 * been removed since is missing (`id`).
 */
export const selectCurrent = (tx: Tx, flowId: string, after: string, size: number) =>
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
    .where(isOfWebhookCompany("c"))
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
      nothing.correctsPassed,
    ])
    .orderBy("c.subject")
    .limit(size);
