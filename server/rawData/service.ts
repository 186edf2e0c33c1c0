import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf, MAX_COUNTED, searchFor, upToMax } from "#server/core/database/listing.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { shown } from "#server/core/database/measured.ts";
import { filterValues, readRawValues, resolveFilter } from "#server/rawData/valueRows.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import type { rawData, ValueHistory } from "#shared/rawData/rawData.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

export async function listRawValues(ctx: Ctx<User>, { page, size, ...query }: QueryOf<typeof rawData.list>) {
  const filter = await resolveFilter(ctx, query);
  const { counted } = await ctx.db
    .selectFrom(
      filterValues(ctx, filter)
        .select("stored.id")
        .limit(MAX_COUNTED + 1)
        .as("matching"),
    )
    .select((e) => e.fn.countAll<number>().as("counted"))
    .executeTakeFirstOrThrow();
  const ids = await filterValues(ctx, filter)
    .select("stored.id")
    .orderBy("stored.id", "desc")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return {
    items: await readRawValues(
      ctx,
      ids.map(({ id }) => id),
    ),
    ...upToMax(counted),
  };
}

/** The values of one subject: a learner, an attempt or a company, depending on the scope of the variable. */
export async function readValueHistory(ctx: Ctx<User>, query: QueryOf<typeof rawData.history>): Promise<ValueHistory> {
  const variable = await ctx.db
    .selectFrom("variables")
    .where("id", "=", query.variableId)
    .select(["id", "label", "key", "type", "unit", "constraints", "scope", "writeMode", "privacy"])
    .executeTakeFirstOrThrow(notFound);
  const { userId, courseId, attemptId, companyId } = query;
  const person = { company: "stored.companyId", person: "stored.userId" };
  const filtered = () => {
    let rows = ctx.db
      .selectFrom("variableValues as stored")
      .where("stored.variableId", "=", variable.id)
      .where(inScope(ctx.user, person));
    if (attemptId) rows = rows.where("stored.attemptId", "=", attemptId);
    if (userId) rows = rows.where("stored.userId", "=", userId);
    if (courseId) rows = rows.where("stored.courseId", "=", courseId);
    if (companyId) rows = rows.where("stored.companyId", "=", companyId);
    return rows;
  };
  const { total } = await filtered()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const ids = await filtered()
    .select("stored.id")
    .orderBy("stored.happenedAt", "desc")
    .orderBy(sql`coalesce(stored.corrects, stored.id)`, "desc")
    .orderBy("stored.id", "desc")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  const values = await readRawValues(
    ctx,
    ids.map(({ id }) => id),
  );
  const [latest] = values;
  if (!latest) throw notFound();
  const origin = {
    userId: latest.userId,
    companyId: latest.companyId,
    courseId: latest.courseId,
    attemptId: attemptId ?? null,
  };
  const subject = subjectOf(variable.scope, origin);
  const current =
    subject === null
      ? undefined
      : (await readCurrentValues(ctx.db, new Map([[variable.id, subject]]))).get(variable.id);
  const isMasked = variable.privacy === "sensitive";
  return { ...variable, values, total, current: isMasked || !current ? null : current.current };
}

/** The attempts at a course, with the latest value of each variable in them. */
export async function listAttemptValues(ctx: Ctx<User>, query: QueryOf<typeof rawData.attempts>) {
  const filtered = () => {
    let rows = ctx.db
      .selectFrom("attempts")
      .innerJoin("companies", "companies.id", "attempts.companyId")
      .innerJoin("courses", "courses.id", "attempts.courseId")
      .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
      .leftJoin("users", "users.id", "attempts.userId")
      .where("attempts.courseId", "=", query.courseId)
      .where("attempts.preview", "=", false)
      .where(inScope(ctx.user, { company: "attempts.companyId", person: "attempts.userId" }));
    if (query.companyId) rows = rows.where("attempts.companyId", "=", query.companyId);
    if (query.q) rows = rows.where(searchFor(query.q, ["users.name", "users.email"]));
    return rows;
  };
  const { total } = await filtered()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const direction = query.sort.startsWith("-") ? "desc" : "asc";
  const rows = await filtered()
    .select([
      "attempts.id as attemptId",
      "attempts.userId",
      sql<string>`coalesce(nullif(users.name, ''), users.email, '')`.as("learner"),
      "users.email",
      "attempts.companyId",
      "companies.name as company",
      "courses.title as course",
      "courseVersions.number as courseVersion",
      "attempts.no as attempt",
      "attempts.completion",
      "attempts.success",
      shown(ctx.user, "scores", "attempts.companyId", sql<number | null>`attempts.score_percent`).as("scorePercent"),
      shown(ctx.user, "activeTime", "attempts.companyId", sql<number>`attempts.active_seconds`).as("activeSeconds"),
      "attempts.startedAt",
      "attempts.completedAt",
    ])
    .orderBy(
      query.sort.endsWith("learner") ? sql`lower(coalesce(nullif(users.name, ''), users.email))` : "attempts.startedAt",
      direction,
    )
    .orderBy("attempts.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  const values = await readLatestInAttempts(
    ctx,
    rows.map(({ attemptId }) => attemptId),
    query.variableIds,
  );
  return { items: rows.map((row) => ({ ...row, values: values.get(row.attemptId) ?? {} })), total };
}

/** The latest value that counts of each variable in each attempt, by their ids; null for sensitive variables. */
async function readLatestInAttempts({ db }: Ctx<User>, attemptIds: string[], variableIds: string) {
  const columns = variableIds.split(",").filter(isUuid);
  if (attemptIds.length === 0 || columns.length === 0) return new Map<string, Record<string, VariableValue>>();
  const rows = await db
    .selectFrom("variableValues as stored")
    .innerJoin("variables", "variables.id", "stored.variableId")
    .where(isOneOf("stored.attemptId", attemptIds))
    .where(isOneOf("stored.variableId", columns))
    .where("stored.refusal", "is", null)
    .where("stored.isCorrected", "=", false)
    .where("stored.deletionId", "is", null)
    .distinctOn(["stored.attemptId", "stored.variableId"])
    .orderBy("stored.attemptId")
    .orderBy("stored.variableId")
    .orderBy("stored.happenedAt", "desc")
    .orderBy(sql`coalesce(stored.corrects, stored.id)`, "desc")
    .select(["stored.attemptId", "stored.variableId", "stored.value", "variables.privacy"])
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ attemptId }) => attemptId as string)].map(([attemptId, values]) => [
      attemptId,
      Object.fromEntries(
        values.map(({ variableId, value, privacy }) => [variableId, privacy === "sensitive" ? null : value]),
      ),
    ]),
  );
}
