import { type SelectQueryBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Db, type Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { readRawValues } from "#server/rawData/valueRows.ts";
import { changeCopies, checkNoCopy, concernedColumns, copiesOf, refoldConcerned } from "#server/rawData/copies.ts";
import { lockFolding } from "#server/variables/fold/recount.ts";
import {
  type Deletion,
  type DeletionInput,
  type DeletionPreview,
  type rawData,
  RESTORE_DAYS,
} from "#shared/rawData/rawData.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const SAMPLE_VALUES = 5;

/** The values that a deletion would delete. */
function coveredValues({ db, user }: Ctx<User>, input: DeletionInput) {
  let rows = db
    .selectFrom("variableValues as stored")
    .where("stored.courseId", "=", input.courseId)
    .where("stored.deletionId", "is", null)
    .where(inScope(user, { company: "stored.companyId", person: "stored.userId" }));
  if (input.variableIds) rows = rows.where(isOneOf("stored.variableId", input.variableIds));
  if (input.companyId) rows = rows.where("stored.companyId", "=", input.companyId);
  if (input.userIds) rows = rows.where(isOneOf("stored.userId", input.userIds));
  if (input.from) rows = rows.where("stored.happenedAt", ">=", input.from);
  if (input.to) rows = rows.where(sql<boolean>`stored.happened_at < ${input.to}::date + 1`);
  if (input.onlyPreview) rows = rows.where("stored.preview", "=", true);
  return rows;
}

export async function previewDeletion(ctx: Ctx<User>, input: DeletionInput): Promise<DeletionPreview> {
  const counts = await coveredValues(ctx, input)
    .leftJoin("sessions", "sessions.id", "stored.sessionId")
    .select([
      sql<number>`count(*)::int`.as("values"),
      sql<number>`count(distinct stored.variable_id)::int`.as("variables"),
      sql<number>`count(distinct stored.user_id) filter (where not stored.preview)::int`.as("learners"),
      sql<number>`count(distinct stored.session_id)::int`.as("sessions"),
      sql<number>`count(distinct stored.session_id) filter (where stored.preview)::int`.as("previewSessions"),
      sql<string | null>`min(stored.happened_at)`.as("firstAt"),
      sql<string | null>`max(stored.happened_at)`.as("lastAt"),
    ])
    .executeTakeFirstOrThrow();
  const ids = await coveredValues(ctx, input)
    .select("stored.id")
    .orderBy("stored.id", "desc")
    .limit(SAMPLE_VALUES)
    .execute();
  return {
    ...counts,
    sample: await readRawValues(
      ctx,
      ids.map(({ id }) => id),
    ),
  };
}

/**
 * Deletes values of a course; they can be restored for RESTORE_DAYS. Current values change at once; completion, scores
 * and definitions stay. Throws 409 if the number of values has changed since the preview.
 */
export async function deleteValues(
  ctx: Ctx<User>,
  { code, values, ...input }: BodyOf<typeof rawData.remove>,
): Promise<Deletion> {
  const course = await ctx.db
    .selectFrom("courses")
    .where("id", "=", input.courseId)
    .select("code")
    .executeTakeFirstOrThrow(notFound);
  if (code.toLowerCase() !== course.code.toLowerCase()) throw badField("code", "rawData.wrongCode");
  return changeValues(ctx, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const { id } = await tx
      .insertInto("variableDeletions")
      .values({
        courseId: input.courseId,
        variableIds: input.variableIds ?? null,
        companyId: input.companyId ?? null,
        userIds: input.userIds ?? null,
        onlyPreview: input.onlyPreview,
        happenedFrom: input.from ?? null,
        happenedUntil: input.to ? sql`least(now(), ${input.to}::date + 1)` : sql`now()`,
        deletedBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const count = await markDeleted(tx, id, coveredValues(inTx, input));
    if (count === 0) throw conflict("rawData.nothingToDelete");
    if (count !== values) throw conflict("rawData.countChanged", { values: count });
    await record(tx, ctx, {
      action: "variables.deleteValues",
      courseId: input.courseId,
      companyId: input.companyId ?? null,
      details: { values: count },
    });
    return readDeletion(inTx, id);
  });
}

/** Deletes one value; it can be restored like those of a course. Throws 409 for a copy, which follows its value. */
export async function deleteValue(ctx: Ctx<User>, valueId: number): Promise<Deletion> {
  return changeValues(ctx, async (tx) => {
    const value = await tx
      .selectFrom("variableValues as stored")
      .where("stored.id", "=", valueId)
      .where("stored.deletionId", "is", null)
      .where(inScope(ctx.user, { company: "stored.companyId", person: "stored.userId" }))
      .select(["stored.courseId", "stored.companyId", "stored.userId", "stored.variableId", "stored.happenedAt"])
      .executeTakeFirstOrThrow(notFound);
    await checkNoCopy(tx, valueId);
    const { id } = await tx
      .insertInto("variableDeletions")
      .values({
        courseId: value.courseId,
        companyId: value.companyId,
        variableIds: [value.variableId],
        userIds: value.userId ? [value.userId] : [],
        happenedFrom: value.happenedAt,
        happenedUntil: value.happenedAt,
        deletedBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await markDeleted(tx, id, tx.selectFrom("variableValues as stored").where("stored.id", "=", valueId));
    await record(tx, ctx, {
      action: "variables.deleteValues",
      ...(value.userId && { people: [value.userId] }),
      courseId: value.courseId,
      companyId: value.companyId,
      details: { values: 1 },
    });
    return readDeletion({ ...ctx, db: tx }, id);
  });
}

/** Changes values while nothing is folded. Flows lock the values that they pass on, so deadlocks are possible. */
const changeValues = <T>({ db }: Ctx<User>, work: (tx: Tx) => Promise<T>) =>
  repeatOnDeadlock(() =>
    inTransaction(db, async (tx) => {
      await lockFolding(tx);
      return work(tx);
    }),
  );

type Values = SelectQueryBuilder<DB & { stored: DB["variableValues"] }, "stored", object>;

/**
 * Marks values and their copies as deleted, and folds the remaining ones. Returns the number of values without copies.
 * The transaction must hold `lockFolding`.
 */
async function markDeleted(tx: Tx, deletionId: string, values: Values): Promise<number> {
  const marked = await tx
    .updateTable("variableValues")
    .set({ deletionId })
    .where("id", "in", values.select("stored.id"))
    .returning(concernedColumns)
    .execute();
  const isMarked = sql<boolean>`stored.deletion_id = ${deletionId}`;
  const copies = await changeCopies(() =>
    tx
      .updateTable("variableValues")
      .set({ deletionId })
      .where("id", "in", copiesOf(isMarked))
      .where("deletionId", "is", null)
      .returning(concernedColumns)
      .execute(),
  );
  await tx.updateTable("variableDeletions").set({ valueCount: marked.length }).where("id", "=", deletionId).execute();
  await refoldConcerned(tx, [...marked, ...copies]);
  return marked.length;
}

const restorableUntil = sql<string>`variable_deletions.deleted_at + make_interval(days => ${RESTORE_DAYS})`;

const selectDeletions = (db: Db, user: User) =>
  db
    .selectFrom("variableDeletions")
    .leftJoin("courses", "courses.id", "variableDeletions.courseId")
    .leftJoin("companies", "companies.id", "variableDeletions.companyId")
    .leftJoin("users as deleters", "deleters.id", "variableDeletions.deletedBy")
    .leftJoin("users as restorers", "restorers.id", "variableDeletions.restoredBy")
    .where(inScope(user, { company: "variableDeletions.companyId" }))
    .select([
      "variableDeletions.id",
      "variableDeletions.courseId",
      sql<string>`coalesce(courses.title, '')`.as("course"),
      sql<string>`coalesce(companies.name, '')`.as("company"),
      "variableDeletions.valueCount as values",
      "variableDeletions.deletedAt",
      sql<string>`coalesce(nullif(deleters.name, ''), deleters.email, '')`.as("deletedBy"),
      restorableUntil.as("restorableUntil"),
      "variableDeletions.restoredAt",
      sql<string>`coalesce(nullif(restorers.name, ''), restorers.email, '')`.as("restoredBy"),
      "variableDeletions.purgedAt",
    ]);

const readDeletion = ({ db, user }: Ctx<User>, id: string) =>
  selectDeletions(db, user).where("variableDeletions.id", "=", id).executeTakeFirstOrThrow(notFound);

export async function listDeletions({ db, user }: Ctx<User>, query: QueryOf<typeof rawData.listDeletions>) {
  const rows = db
    .selectFrom("variableDeletions")
    .where(inScope(user, { company: "variableDeletions.companyId" }))
    .$if(query.courseId !== undefined, (all) => all.where("courseId", "=", query.courseId as string));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await selectDeletions(db, user)
    .$if(query.courseId !== undefined, (all) => all.where("variableDeletions.courseId", "=", query.courseId as string))
    .orderBy("variableDeletions.deletedAt", "desc")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}

/** Restores deleted values; repeating it changes nothing. */
export async function restoreValues(ctx: Ctx<User>, id: string): Promise<Deletion> {
  return changeValues(ctx, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const deletion = await readDeletion(inTx, id);
    if (deletion.restoredAt !== null) return deletion;
    if (deletion.purgedAt !== null || Date.parse(deletion.restorableUntil) < Date.now())
      throw conflict("rawData.notRestorable");
    const restored = await tx
      .updateTable("variableValues")
      .set({ deletionId: null })
      .where("deletionId", "=", id)
      .returning(concernedColumns)
      .execute();
    await tx
      .updateTable("variableDeletions")
      .set({ restoredAt: sql`now()`, restoredBy: ctx.user.id })
      .where("id", "=", id)
      .execute();
    await refoldConcerned(tx, restored);
    await record(tx, ctx, {
      action: "variables.restoreValues",
      courseId: deletion.courseId,
      details: { values: restored.length },
    });
    return readDeletion(inTx, id);
  });
}
