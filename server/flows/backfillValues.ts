import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { flowColumns, isOfWebhookCompany, type Passing, selectFlowValues } from "#server/flows/dueValues.ts";
import type { FoldedValue } from "#shared/variables/variableTypes.ts";

// The current values of the source of a new flow, which pass first if an admin chose so

/** Columns that have no value for current values. */
const nothing = {
  deletionId: sql<string | null>`null::uuid`.as("deletionId"),
  correctsPassed: sql<boolean>`false`.as("correctsPassed"),
};

/**
 * Those of the values `ids` that were folded when the backfill of the flow began. They are locked like those of
 * `selectPassing`, so that each copy follows its value if it is corrected, deleted or restored.
 */
export const selectSummed = (tx: Tx, flowId: string, ids: number[], until: { tx: string; valueId: number }) =>
  selectFlowValues(tx)
    .where("flows.id", "=", flowId)
    .where("stored.id", "in", ids)
    .where(sql<boolean>`(stored.tx, stored.id) <= (${until.tx}::xid8, ${until.valueId}::bigint)`)
    .select(nothing.correctsPassed)
    .orderBy("stored.id")
    .forShare("stored");

/**
 * The sums of removed values of companies (erased people, expired values). No stored value belongs to them any more.
 */
export const selectRemoved = (tx: Tx, flowId: string) =>
  tx
    .selectFrom("flows")
    .innerJoin("variables", "variables.id", "flows.sourceVariableId")
    .innerJoin(
      sql<{ companyId: string; folded: FoldedValue }>`(
        select companies.id as company_id, value as folded
        from flow_backfills, jsonb_each(removed)
        join companies on companies.id = key::uuid
        where flow_id = ${flowId}
      )`.as("sums"),
      (join) => join.onTrue(),
    )
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where("flows.id", "=", flowId)
    .where("variables.scope", "=", "company")
    .where(isOfWebhookCompany("sums"))
    .select(flowColumns)
    .select([
      "variables.id as variableId",
      "sums.companyId",
      "variables.type",
      "variables.scope",
      "variables.status",
      sql<number | null>`null::bigint`.as("id"),
      sql<string | null>`null::uuid`.as("userId"),
      sql<string | null>`null::uuid`.as("courseId"),
      sql<string | null>`null::uuid`.as("attemptId"),
      sql<string | null>`null::uuid`.as("sessionId"),
      sql<number | null>`null::bigint`.as("originId"),
      sql<Passing["value"]>`sums.folded -> 'current'`.as("value"),
      sql<string>`to_timestamp((sums.folded ->> 'currentAt')::float8 / 1000)`.as("happenedAt"),
      sql<string>`to_timestamp((sums.folded ->> 'lastAt')::float8 / 1000)`.as("recordedAt"),
      nothing.deletionId,
      nothing.correctsPassed,
    ])
    .orderBy("sums.companyId");

/** `size` current values of the source of a flow, ordered by subject. `id` is null if the value was removed since. */
export const selectCurrent = (tx: Tx, flowId: string, after: string, size: number) =>
  tx
    .selectFrom("variableCurrent as current")
    .innerJoin("variables", "variables.id", "current.variableId")
    .innerJoin("flows", "flows.sourceVariableId", "current.variableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("variableValues as counted")
          .where((of) =>
            of.or([
              of("counted.id", "=", of.ref("current.currentId")),
              of("counted.corrects", "=", of.ref("current.currentId")),
            ]),
          )
          .where("counted.isCorrected", "=", sql<boolean>`false`)
          .where("counted.deletionId", "is", null)
          .where("counted.refusal", "is", null)
          .selectAll("counted")
          .limit(1)
          .as("stored"),
      (join) => join.onTrue(),
    )
    .where("flows.id", "=", flowId)
    .where("current.subject", ">", after)
    .where(isOfWebhookCompany("current"))
    .select(flowColumns)
    .select([
      "current.subject",
      "stored.id",
      "current.variableId",
      "current.companyId",
      sql<string | null>`coalesce(current.user_id, stored.user_id)`.as("userId"),
      sql<string | null>`coalesce(current.course_id, stored.course_id)`.as("courseId"),
      sql<string | null>`coalesce(current.attempt_id, stored.attempt_id)`.as("attemptId"),
      "current.current as value",
      "current.currentAt as happenedAt",
      sql<string>`coalesce(stored.recorded_at, current.last_at)`.as("recordedAt"),
      "stored.sessionId",
      "variables.type",
      "variables.scope",
      "variables.status",
      sql<number | null>`coalesce(stored.origin_id, stored.id)`.as("originId"),
      nothing.deletionId,
      nothing.correctsPassed,
    ])
    .orderBy("current.subject")
    .limit(size);
