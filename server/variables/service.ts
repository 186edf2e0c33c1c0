import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf, orderBy, searchFor } from "#server/core/database/listing.ts";
import { isCourseOfKey } from "#server/core/database/scope.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { checkDefinition } from "#server/variables/definitionChecks.ts";
import { describeVariables, readVariable, selectVariables } from "#server/variables/definitionRows.ts";
import { moveValues } from "#server/variables/merge.ts";
import { dropPendingDeliveries } from "#server/variables/pendingDeliveries.ts";
import { refoldVariable } from "#server/variables/fold/recount.ts";
import { announceStoredValues } from "#server/variables/storedValues.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { Variable, VariableInput, variables } from "#shared/variables/variables.ts";

const MATCHED_COLUMNS = ["variables.label", "variables.key"];

export async function listVariables(ctx: Ctx<User>, query: QueryOf<typeof variables.list>) {
  const filter = (rows: ReturnType<typeof selectVariables>) => {
    let matching = rows.where("variables.status", "=", query.status);
    if (query.type) matching = matching.where("variables.type", "=", query.type);
    if (query.privacy) matching = matching.where("variables.privacy", "=", query.privacy);
    const { courseId } = query;
    if (courseId)
      matching = matching.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("variableCourses")
            .whereRef("variableCourses.variableId", "=", "variables.id")
            .where("courseId", "=", courseId)
            .where(isCourseOfKey(ctx.user, "variableCourses.courseId"))
            .select("key"),
        ),
      );
    if (query.q) matching = matching.where(searchFor(query.q, [...MATCHED_COLUMNS, "variables.description"]));
    return matching;
  };
  const { total } = await ctx.db
    .selectFrom(filter(selectVariables(ctx)).as("matching"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await filter(selectVariables(ctx))
    .orderBy(
      orderBy(
        query.sort,
        {
          label: sql`lower(variables.label)`,
          key: sql`variables.key`,
          type: sql`variables.type`,
          learners: sql`coalesce(totals.learners, 0)`,
          lastValueAt: sql`totals.last_value_at`,
        },
        { text: query.q, columns: MATCHED_COLUMNS },
      ),
    )
    .orderBy("variables.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items: await describeVariables(ctx, rows), total };
}

export async function createVariable(ctx: Ctx<User>, { courses, ...input }: VariableInput): Promise<Variable> {
  checkDefinition(input);
  return inTransaction(ctx.db, async (tx) => {
    const { id } = await tx
      .insertInto("variables")
      .values({ ...toColumns(input), status: "active", updatedBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await setCourses(tx, id, input.key, courses);
    await record(tx, ctx, { action: "variables.create", object: { variables: id } });
    return readVariable({ ...ctx, db: tx }, id);
  });
}

/** Changes a definition, but not its stored values. Throws 409 with the current row if it is not at `version`. */
export async function updateVariable(
  ctx: Ctx<User>,
  id: string,
  { version, courses, ...sent }: BodyOf<typeof variables.update>,
): Promise<Variable> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockVariable({ ...ctx, db: tx }, id, version);
    // A variable that becomes sensitive loses its leaderboard; a request for both is refused.
    const isHidden = before.leaderboard && (sent.privacy ?? before.privacy) === "sensitive";
    const input = { ...(isHidden && { leaderboard: false }), ...sent };
    const after = { ...before, ...input };
    checkDefinition(after);
    await writeDefinition(tx, ctx, id, input);
    if (courses) await setCourses(tx, id, before.key, courses);
    // The current values depend on these.
    if (before.type !== after.type || before.scope !== after.scope || before.writeMode !== after.writeMode)
      await refoldVariable(tx, id);
    // Values in the queues of webhooks have become sensitive, too.
    if (before.privacy !== "sensitive" && after.privacy === "sensitive")
      await dropPendingDeliveries(tx, sql<boolean>`stored.variable_id = ${id}`);
    // Flows may now pass on values that they have held back.
    if (before.privacy !== after.privacy) await announceStoredValues(tx);
    await record(tx, ctx, {
      action: "variables.update",
      object: { variables: id },
      details: { fields: Object.keys(input) },
    });
    return readVariable({ ...ctx, db: tx }, id);
  });
}

/** Defines a key that content has sent. Its stored values are converted to the chosen type. */
export async function defineKey(
  ctx: Ctx<User>,
  id: string,
  input: BodyOf<typeof variables.defineKey>,
): Promise<Variable> {
  const { courses, ...definition } = input;
  checkDefinition(definition);
  return inTransaction(ctx.db, async (tx) => {
    const defined = await tx
      .updateTable("variables")
      .set({ ...toColumns(definition), status: "active", updatedBy: ctx.user.id, updatedAt: sql`now()` })
      .where("id", "=", id)
      .where("status", "in", ["new", "ignored"])
      .returning("key")
      .executeTakeFirst();
    if (!defined) throw notFound();
    if (courses.length > 0) await setCourses(tx, id, defined.key, courses);
    await refoldVariable(tx, id);
    await record(tx, ctx, { action: "variables.define", object: { variables: id } });
    return readVariable({ ...ctx, db: tx }, id);
  });
}

export async function setVariableStatus(ctx: Ctx<User>, id: string, status: "active" | "archived"): Promise<Variable> {
  return inTransaction(ctx.db, async (tx) => {
    const changed = await tx
      .updateTable("variables")
      .set((e) => ({ status, version: e("version", "+", 1), updatedBy: ctx.user.id, updatedAt: sql`now()` }))
      .where("id", "=", id)
      .where("status", "=", status === "active" ? "archived" : "active")
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0) {
      if (status === "active") await announceStoredValues(tx);
      await record(tx, ctx, {
        action: status === "active" ? "variables.restore" : "variables.archive",
        object: { variables: id },
      });
    }
    return readVariable({ ...ctx, db: tx }, id);
  });
}

/**
 * Merges another variable, or a key without a definition, into this one: content may still send the other key, and its
 * values, also stored ones, count here. Deletes the other definition. Throws 409 if it has flows.
 */
export async function mergeVariables(ctx: Ctx<User>, id: string, otherId: string): Promise<Variable> {
  if (id === otherId) throw conflict("variables.sameVariable");
  return inTransaction(ctx.db, async (tx) => {
    const rows = await tx
      .selectFrom("variables")
      .where(isOneOf("id", [id, otherId]))
      .orderBy("id")
      .select(["id", "status", "label"])
      .forUpdate()
      .execute();
    const [target, other] = [id, otherId].map((one) => rows.find((row) => row.id === one));
    if (!target || !other || target.status !== "active") throw notFound();
    // Its flows would be deleted with it. The lock of the row prevents new ones.
    const flow = await tx
      .selectFrom("flows")
      .where((e) => e.or([e("sourceVariableId", "=", otherId), e("targetVariableId", "=", otherId)]))
      .select("id")
      .limit(1)
      .executeTakeFirst();
    if (flow) throw conflict("variables.hasFlows", undefined, { label: other.label });
    await moveValues(tx, { from: otherId, to: id });
    await record(tx, ctx, { action: "variables.merge", object: { variables: id } });
    return readVariable({ ...ctx, db: tx }, id);
  });
}

export async function ignoreKeys(ctx: Ctx<User>, ids: string[]) {
  return inTransaction(ctx.db, async (tx) => {
    const ignored = await tx
      .updateTable("variables")
      .set({ status: "ignored" })
      .where(isOneOf("id", ids))
      .where("status", "=", "new")
      .returning("id")
      .execute();
    if (ignored.length > 0) await record(tx, ctx, { action: "variables.ignore", details: { keys: ignored.length } });
    return { changed: ignored.length };
  });
}

/** Locks and reads a definition. Throws 409 with the current row if it is not at `version`. */
async function lockVariable(ctx: Ctx<User>, id: string, version: number) {
  await ctx.db.selectFrom("variables").where("id", "=", id).select("id").forUpdate().execute();
  const current = await readVariable(ctx, id);
  if (current.version === version) return current;
  const author = await ctx.db
    .selectFrom("variables")
    .innerJoin("users", "users.id", "variables.updatedBy")
    .where("variables.id", "=", id)
    .select("users.name")
    .executeTakeFirst();
  throw conflict("core.conflict", { current, changedBy: author?.name ?? null, changedAt: current.updatedAt });
}

type Definition = Partial<Omit<VariableInput, "courses">>;
const toColumns = <D extends Definition>({ constraints, defaultValue, ...input }: D) => ({
  ...input,
  ...(constraints !== undefined && { constraints: JSON.stringify(constraints) }),
  ...(defaultValue !== undefined && { defaultValue: JSON.stringify(defaultValue) }),
});

const writeDefinition = (tx: Tx, { user }: Ctx<User>, id: string, input: Definition) =>
  tx
    .updateTable("variables")
    .set((e) => ({ ...toColumns(input), version: e("version", "+", 1), updatedBy: user.id, updatedAt: sql`now()` }))
    .where("id", "=", id)
    .execute();

/**
 * Sets the courses that use a variable. New ones use it by `key`. If such a course has sent the key without a
 * definition, that variable is merged into this one. Throws 409 if the key of a course belongs to another definition.
 */
async function setCourses(tx: Tx, variableId: string, key: string, courses: VariableInput["courses"]) {
  const courseIds = courses.map(({ courseId }) => courseId);
  await tx
    .deleteFrom("variableCourses")
    .where("variableId", "=", variableId)
    .$if(courseIds.length > 0, (rows) => rows.where("courseId", "not in", courseIds))
    .execute();
  for (const { courseId, access, path } of courses) {
    const updated = await tx
      .updateTable("variableCourses")
      .set({ access, path })
      .where("variableId", "=", variableId)
      .where("courseId", "=", courseId)
      .executeTakeFirst();
    if (updated.numUpdatedRows > 0) continue;
    const taken = await tx
      .selectFrom("variableCourses")
      .innerJoin("variables", "variables.id", "variableCourses.variableId")
      .innerJoin("courses", "courses.id", "variableCourses.courseId")
      .where("variableCourses.courseId", "=", courseId)
      .where("variableCourses.key", "=", key)
      .select(["variables.id", "variables.status", "courses.title"])
      .executeTakeFirst();
    if (taken && (taken.status === "active" || taken.status === "archived"))
      throw conflict("variables.keyTaken", { courseId, variableId: taken.id }, { key, course: taken.title });
    if (taken) {
      await moveValues(tx, { from: taken.id, to: variableId });
      await tx
        .updateTable("variableCourses")
        .set({ access, path })
        .where("courseId", "=", courseId)
        .where("variableId", "=", variableId)
        .execute();
    } else await tx.insertInto("variableCourses").values({ courseId, key, variableId, access, path }).execute();
  }
}
