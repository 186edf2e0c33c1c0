import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { checkFlow, lockFlows } from "#server/flows/rules.ts";
import { announceStoredValues } from "#server/variables/storedValues.ts";
import { readFlowValuesOf } from "#server/variables/templateValues.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type Flow, type flows, type FlowTarget, transformValue } from "#shared/flows/flows.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";

const coursesOf = (variable: string) =>
  sql<string[]>`array(
    select courses.title
    from variable_courses
    join courses on courses.id = variable_courses.course_id
    where variable_courses.variable_id = ${sql.ref(variable)}
    order by lower(courses.title)
  )`;

/**
 * The flows that an admin may see and change. A flow to a webhook belongs to the company of the webhook; a flow between
 * variables, or to a webhook of all companies, passes values of every company and belongs to the academy.
 */
const flowsInScope = (db: Db, user: User) =>
  db
    .selectFrom("flows")
    .innerJoin("variables as source", "source.id", "flows.sourceVariableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .leftJoin("webhooks", "webhooks.id", "flows.targetWebhookId")
    .where(inScope(user, { company: "webhooks.companyId" }));

const selectFlows = (db: Db, user: User) =>
  flowsInScope(db, user).select([
    "flows.id",
    "flows.version",
    "flows.transform",
    "flows.isActive",
    "flows.backfillPending",
    "flows.fired",
    "flows.refused",
    "flows.lastFiredAt",
    "flows.createdAt",
    "source.id as sourceId",
    "source.label as sourceLabel",
    "source.key as sourceKey",
    "source.type as sourceType",
    "source.status as sourceStatus",
    "source.privacy as sourcePrivacy",
    coursesOf("source.id").as("sourceCourses"),
    "target.id as targetId",
    "target.label as targetLabel",
    "target.key as targetKey",
    "target.type as targetType",
    "target.status as targetStatus",
    "target.privacy as targetPrivacy",
    coursesOf("target.id").as("targetCourses"),
    "webhooks.id as webhookId",
    "webhooks.name as webhookName",
    "webhooks.status as webhookStatus",
  ]);
type Row = Awaited<ReturnType<ReturnType<typeof selectFlows>["executeTakeFirstOrThrow"]>>;

const toFlow = (row: Row): Flow => ({
  id: row.id,
  version: row.version,
  source: {
    id: row.sourceId,
    label: row.sourceLabel,
    key: row.sourceKey,
    type: row.sourceType,
    courses: row.sourceCourses,
  },
  transform: row.transform,
  target: row.webhookId
    ? { kind: "webhook", id: row.webhookId, label: row.webhookName ?? "" }
    : {
        kind: "variable",
        id: row.targetId as string,
        label: row.targetLabel ?? "",
        key: row.targetKey ?? "",
        type: row.targetType ?? "text",
        courses: row.targetCourses,
      },
  isActive: row.isActive,
  problem: problemOf(row),
  backfillPending: row.backfillPending,
  fired: row.fired,
  refused: row.refused,
  lastFiredAt: row.lastFiredAt,
  createdAt: row.createdAt,
});

function problemOf({ sourceStatus, sourcePrivacy, targetStatus, targetPrivacy, webhookStatus }: Row): Flow["problem"] {
  if (sourceStatus !== "active") return "sourceArchived";
  if (sourcePrivacy === "sensitive" && targetPrivacy !== "sensitive") return "sourceSensitive";
  if (webhookStatus === "off") return "webhookOff";
  return targetStatus !== null && targetStatus !== "active" ? "targetArchived" : null;
}

const readFlow = async (db: Db, user: User, id: string) =>
  toFlow(await selectFlows(db, user).where("flows.id", "=", id).executeTakeFirstOrThrow(notFound));

export async function listFlows({ db, user }: Ctx<User>, query: QueryOf<typeof flows.list>) {
  const { q, variableId, page, size } = query;
  let rows = selectFlows(db, user);
  if (q) rows = rows.where(searchFor(q, ["source.label", "source.key", "target.label", "target.key", "webhooks.name"]));
  if (variableId) rows = rows.where((e) => e.or([e("source.id", "=", variableId), e("target.id", "=", variableId)]));
  const { total } = await db
    .selectFrom(rows.as("matching"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .orderBy(sql`lower(source.label)`)
    .orderBy("flows.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items: items.map(toFlow), total };
}

export async function createFlow(ctx: Ctx<User>, { includesCurrent, target, ...input }: BodyOf<typeof flows.create>) {
  return inTransaction(ctx.db, async (tx) => {
    await lockFlows(tx);
    await checkFlow(tx, ctx.user, { ...input, target });
    const { id } = await tx
      .insertInto("flows")
      .values({
        ...input,
        transform: JSON.stringify(input.transform),
        targetVariableId: target.kind === "variable" ? target.variableId : null,
        targetWebhookId: target.kind === "webhook" ? target.webhookId : null,
        backfillPending: includesCurrent,
        createdBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (includesCurrent) await announceStoredValues(tx);
    const created = await readFlow(tx, ctx.user, id);
    await record(tx, ctx, { action: "flows.create" });
    return created;
  });
}

/** Changes a flow. Values that arrived while it was paused do not pass when it is resumed. */
export async function updateFlow(
  ctx: Ctx<User>,
  id: string,
  { version, transform, isActive }: BodyOf<typeof flows.update>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const updated = await tx
      .updateTable("flows")
      .set({
        ...(transform && { transform: JSON.stringify(transform) }),
        ...(isActive !== undefined && { isActive }),
        ...(isActive && {
          sinceTx: sql`case when is_active then since_tx else pg_current_xact_id() end`,
          sinceValueId: sql`case when is_active then since_value_id else 0 end`,
        }),
        version: sql`version + 1`,
      })
      .where("id", "in", flowsInScope(tx, ctx.user).where("flows.id", "=", id).select("flows.id"))
      .where("version", "=", version)
      .executeTakeFirst();
    const flow = await readFlow(tx, ctx.user, id);
    if (updated.numUpdatedRows === 0n) throw conflict("core.conflict");
    if (isActive && flow.backfillPending) await announceStoredValues(tx);
    await record(tx, ctx, { action: "flows.update" });
    return flow;
  });
}

export async function removeFlow(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("flows")
      .where("id", "in", flowsInScope(tx, ctx.user).where("flows.id", "=", id).select("flows.id"))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await record(tx, ctx, { action: "flows.remove" });
  });
}

/** The result of a flow for a value. Nothing is stored. */
export async function tryFlow(ctx: Ctx<User>, input: BodyOf<typeof flows.try>) {
  const { db } = ctx;
  const source = await db
    .selectFrom("variables")
    .where("id", "=", input.sourceVariableId)
    .select(["id", "type", "unit", "scope", "privacy", "constraints"])
    .executeTakeFirstOrThrow(notFound);
  const learner = input.userId
    ? await db
        .selectFrom("users")
        .where("id", "=", input.userId)
        .where(inScope(ctx.user, { company: "companyId", person: "id" }))
        .select(["id", "companyId"])
        .executeTakeFirstOrThrow(notFound)
    : null;
  const origin = { userId: learner?.id ?? null, companyId: learner?.companyId ?? "", courseId: null, attemptId: null };
  const subject = learner?.companyId && source.privacy !== "sensitive" ? subjectOf(source.scope, origin) : null;
  const current = subject ? await readCurrentValues(db, new Map([[source.id, subject]])) : new Map();
  const value = input.value ?? current.get(source.id)?.current ?? null;
  if (value === null) return { value: null, result: null, refusal: null };
  const [others] = learner?.companyId
    ? await readFlowValuesOf(db, [
        { ...origin, transform: input.transform, hidesLearner: await hidesLearner(ctx, input.target) },
      ])
    : [];
  const result = transformValue(input.transform, { value, type: source.type, unit: source.unit }, others);
  if (result === undefined) return { value, result: null, refusal: null };
  if (input.target.kind === "webhook") return { value, result, refusal: null };
  const target = await db
    .selectFrom("variables")
    .where("id", "=", input.target.variableId)
    .select(["type", "constraints"])
    .executeTakeFirstOrThrow(notFound);
  const parsed = parseVariableValue(target, result);
  return { value, result: parsed.refusal ? result : (parsed.value ?? null), refusal: parsed.refusal ?? null };
}

/** Whether the target is a webhook with pseudonyms, which gets no names. */
async function hidesLearner({ db, user }: Ctx<User>, target: FlowTarget) {
  if (target.kind === "variable") return false;
  const { includesNames } = await db
    .selectFrom("webhooks")
    .where("id", "=", target.webhookId)
    .where(inScope(user, { company: "companyId" }))
    .select("includesNames")
    .executeTakeFirstOrThrow(notFound);
  return !includesNames;
}
