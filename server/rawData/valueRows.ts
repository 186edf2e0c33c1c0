import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, type FoundElsewhere, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { RawValue, RawValueFilter } from "#shared/rawData/rawData.ts";
import type { User } from "#shared/core/users.ts";
import type { VariableValue } from "#shared/variables/variableValues.ts";

const VALUE_SCOPE = { company: "v.companyId", person: "v.userId" };
export const learnerName = sql<string>`coalesce(nullif(users.name, ''), users.email, '')`;

type ValueFilter = Partial<RawValueFilter> & { found: FoundElsewhere[] };

/** The filter with the people and variables that its search contains, for `filterValues`. */
export const resolveFilter = async <F extends Partial<RawValueFilter>>({ db }: Pick<Ctx<User>, "db">, filter: F) => ({
  ...filter,
  found: [
    ...(await findElsewhere(filter.q ?? "", ["v.userId"], (word) =>
      db
        .selectFrom("users")
        .where(searchFor(word, ["users.name", "users.email"]))
        .select("id"),
    )),
    ...(await findElsewhere(filter.q ?? "", ["v.variableId"], (word) =>
      db
        .selectFrom("variables")
        .where(searchFor(word, ["variables.label", "variables.key"]))
        .select("id"),
    )),
  ],
});

/** Values in the scope of the user that match a filter, without any other table: pages and counts read no more. */
export function filterValues({ db, user }: Ctx<User>, { found, ...filter }: ValueFilter) {
  let rows = db.selectFrom("variableValues as v").where(inScope(user, VALUE_SCOPE));
  const { q, contains, from, to, atLeast, atMost } = filter;
  if (q) rows = rows.where(searchFor(q, [], found));
  if (filter.companyId) rows = rows.where("v.companyId", "=", filter.companyId);
  if (filter.courseId) rows = rows.where("v.courseId", "=", filter.courseId);
  if (filter.variableId) rows = rows.where("v.variableId", "=", filter.variableId);
  if (filter.userId) rows = rows.where("v.userId", "=", filter.userId);
  if (filter.source) rows = rows.where("v.source", "=", filter.source);
  // What a masked value contains must not be found out by filters.
  if (contains || atLeast !== undefined || atMost !== undefined)
    rows = rows.where((e) =>
      e(
        "v.variableId",
        "not in",
        e.selectFrom("variables").where("variables.privacy", "=", "sensitive").select("variables.id"),
      ),
    );
  if (contains) rows = rows.where(sql<boolean>`strpos(lower(v.value::text), ${contains.toLowerCase()}) > 0`);
  if (atLeast !== undefined) rows = rows.where(sql<boolean>`${numberOfValue} >= ${atLeast}`);
  if (atMost !== undefined) rows = rows.where(sql<boolean>`${numberOfValue} <= ${atMost}`);
  if (from) rows = rows.where("v.recordedAt", ">=", from);
  if (to) rows = rows.where(sql<boolean>`v.recorded_at < ${to}::date + 1`);
  if (filter.preview) rows = rows.where("v.preview", "=", filter.preview === "yes");
  if (filter.deleted) rows = rows.where("v.deletionId", filter.deleted === "yes" ? "is not" : "is", null);
  return rows;
}
const numberOfValue: RawBuilder<number | null> =
  sql`case when jsonb_typeof(v.value) = 'number' then (v.value #>> '{}')::double precision end`;

/**
 * The value that counted before a value, by the time it happened: of the same person, and of the same attempt or
 * course if the variable belongs to one. Of a variable of companies, what the same person has set before.
 * One look-up in the index variable_values_previous.
 */
export const previousValue = sql<VariableValue | null>`(select p.value from variable_values p
  where p.user_id = v.user_id and p.variable_id = v.variable_id
    and (p.happened_at, coalesce(p.corrects, p.id)) < (v.happened_at, coalesce(v.corrects, v.id))
    and p.refusal is null and not p.is_corrected and p.deletion_id is null and p.preview = v.preview
    and (variables.scope <> 'attempt' or p.attempt_id = v.attempt_id) and (variables.scope <> 'course' or p.course_id = v.course_id)
  order by p.happened_at desc, coalesce(p.corrects, p.id) desc limit 1)`;

/**
 * Label of the variable from which a data flow has passed a value on; empty if no flow did. A copy names its flow and
 * the first value of its chain only: of A → B → C, a value of C comes from B, but from A once the flow from B to C was
 * deleted.
 */
const passedFrom = sql<string>`coalesce((select source.label from variables source
  where source.id = coalesce((select flows.source_variable_id from flows where flows.id = v.flow_id),
    (select origin.variable_id from variable_values origin where origin.id = v.origin_id))), '')`;

/**
 * Values that match a filter, with what a reader needs to know about them besides the value before. Those of sensitive
 * variables are not masked: callers do that.
 */
export const describeValues = (ctx: Ctx<User>, filter: ValueFilter) =>
  filterValues(ctx, filter)
    .innerJoin("variables", "variables.id", "v.variableId")
    .innerJoin("companies", "companies.id", "v.companyId")
    .leftJoin("users", "users.id", "v.userId")
    .leftJoin("courses", "courses.id", "v.courseId")
    .leftJoin("courseVersions", "courseVersions.id", "v.versionId")
    .leftJoin("attempts", "attempts.id", "v.attemptId")
    .leftJoin("sessions", "sessions.id", "v.sessionId")
    .leftJoin("turns", (join) => join.onRef("turns.id", "=", "v.turnId").on("v.sessionId", "is", null))
    .leftJoin("conversations", "conversations.id", "turns.conversationId")
    .leftJoin("users as actors", "actors.id", "v.actorId")
    .leftJoin("variableDeletions as deletions", "deletions.id", "v.deletionId")
    .select([
      "v.id",
      "v.recordedAt",
      "v.happenedAt",
      "v.userId",
      learnerName.as("learner"),
      sql<string>`coalesce(users.email, '')`.as("email"),
      "v.companyId",
      "companies.name as company",
      "v.courseId",
      sql<string>`coalesce(courses.title, '')`.as("course"),
      "courseVersions.number as courseVersion",
      "v.attemptId",
      "attempts.no as attempt",
      sql<string>`coalesce((select part->>'title' from jsonb_array_elements(course_versions.parts) part
        where part->>'sco' = v.sco limit 1), '')`.as("part"),
      "v.variableId",
      "variables.key",
      "variables.label",
      "variables.type",
      "variables.unit",
      "variables.scope",
      "variables.privacy",
      "v.value",
      "v.refusal",
      "v.source",
      passedFrom.as("passedFrom"),
      sql<string>`coalesce(nullif(actors.name, ''), actors.email, '')`.as("actor"),
      "v.reason",
      "v.isCorrected as corrected",
      "v.preview",
      "deletions.deletedAt",
      "v.sessionId",
      "turns.conversationId",
      sql<
        number | null
      >`(extract(epoch from v.happened_at - coalesce(sessions.started_at, conversations.started_at)) * 1000)::bigint`.as(
        "t",
      ),
    ]);

/** The rows of a list. Values of sensitive variables are masked. */
export async function readRawValues(ctx: Ctx<User>, ids: number[]): Promise<RawValue[]> {
  if (ids.length === 0) return [];
  const rows = await describeValues(ctx, { found: [] })
    .where("v.id", "in", ids)
    .select(previousValue.as("previous"))
    .execute();
  const byId = new Map(
    rows.map((row) => [row.id, row.privacy === "sensitive" ? { ...row, value: null, previous: null } : row]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
