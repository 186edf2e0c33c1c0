import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, type FoundElsewhere, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { RawValue, RawValueFilter } from "#shared/rawData/rawData.ts";
import type { User } from "#shared/core/users.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

const VALUE_SCOPE = { company: "stored.companyId", person: "stored.userId" };
export const learnerName = sql<string>`coalesce(nullif(users.name, ''), users.email, '')`;

type ValueFilter = Partial<RawValueFilter> & { matches: FoundElsewhere[] };

/** Adds the people and variables that match the search of a filter, for `filterValues`. */
export const resolveFilter = async <F extends Partial<RawValueFilter>>({ db }: Pick<Ctx<User>, "db">, filter: F) => ({
  ...filter,
  matches: [
    ...(await findElsewhere(filter.q ?? "", ["stored.userId"], (word) =>
      db
        .selectFrom("users")
        .where(searchFor(word, ["users.name", "users.email"]))
        .select("id"),
    )),
    ...(await findElsewhere(filter.q ?? "", ["stored.variableId"], (word) =>
      db
        .selectFrom("variables")
        .where(searchFor(word, ["variables.label", "variables.key"]))
        .select("id"),
    )),
  ],
});

/** Values in the scope of the user that match a filter, read without other tables, for pages and counts. */
export function filterValues({ db, user }: Ctx<User>, { matches, ...filter }: ValueFilter) {
  let rows = db.selectFrom("variableValues as stored").where(inScope(user, VALUE_SCOPE));
  const { q, contains, from, to, atLeast, atMost } = filter;
  if (q) rows = rows.where(searchFor(q, [], matches));
  if (filter.companyId) rows = rows.where("stored.companyId", "=", filter.companyId);
  if (filter.courseId) rows = rows.where("stored.courseId", "=", filter.courseId);
  if (filter.variableId) rows = rows.where("stored.variableId", "=", filter.variableId);
  if (filter.userId) rows = rows.where("stored.userId", "=", filter.userId);
  if (filter.source) rows = rows.where("stored.source", "=", filter.source);
  // Filters must not reveal what masked values contain.
  if (contains || atLeast !== undefined || atMost !== undefined)
    rows = rows.where((e) =>
      e(
        "stored.variableId",
        "not in",
        e.selectFrom("variables").where("variables.privacy", "=", "sensitive").select("variables.id"),
      ),
    );
  if (contains) rows = rows.where(sql<boolean>`strpos(lower(stored.value::text), ${contains.toLowerCase()}) > 0`);
  if (atLeast !== undefined) rows = rows.where(sql<boolean>`${numberOfValue} >= ${atLeast}`);
  if (atMost !== undefined) rows = rows.where(sql<boolean>`${numberOfValue} <= ${atMost}`);
  if (from) rows = rows.where("stored.recordedAt", ">=", from);
  if (to) rows = rows.where(sql<boolean>`stored.recorded_at < ${to}::date + 1`);
  if (filter.preview) rows = rows.where("stored.preview", "=", filter.preview === "yes");
  if (filter.deleted) rows = rows.where("stored.deletionId", filter.deleted === "yes" ? "is not" : "is", null);
  return rows;
}
const numberOfValue: RawBuilder<number | null> =
  sql`case when jsonb_typeof(stored.value) = 'number' then (stored.value #>> '{}')::double precision end`;

/**
 * The value that counted before a value, by the time it happened: of the same person, and of the same attempt or course
 * if the variable belongs to one. Of a variable of companies, the value that the same person set before. It is one
 * look-up in the index variable_values_previous.
 */
export const previousValue = sql<VariableValue | null>`(
    select previous.value
    from variable_values previous
    where previous.user_id = stored.user_id
      and previous.variable_id = stored.variable_id
      and (previous.happened_at, coalesce(previous.corrects, previous.id))
        < (stored.happened_at, coalesce(stored.corrects, stored.id))
      and previous.refusal is null
      and not previous.is_corrected
      and previous.deletion_id is null
      and previous.preview = stored.preview
      and (variables.scope <> 'attempt' or previous.attempt_id = stored.attempt_id)
      and (variables.scope <> 'course' or previous.course_id = stored.course_id)
    order by previous.happened_at desc, coalesce(previous.corrects, previous.id) desc
    limit 1
  )`;

/**
 * The label of the variable from which a data flow passed a value on; empty if no flow did. A copy has only its flow
 * and the first value of its chain: with A → B → C, a value of C comes from B, but after the deletion of the flow from
 * B to C, from A.
 */
const passedFrom = sql<string>`coalesce((
    select source.label
    from variables source
    where source.id = coalesce(
      (select flows.source_variable_id from flows where flows.id = stored.flow_id),
      (select origin.variable_id from variable_values origin where origin.id = stored.origin_id)
    )
  ), '')`;

const startOfSource = sql`coalesce(sessions.started_at, conversations.started_at)`;

/** Values that match a filter with all that a reader needs, except the previous value. Callers mask sensitive ones. */
export const describeValues = (ctx: Ctx<User>, filter: ValueFilter) =>
  filterValues(ctx, filter)
    .innerJoin("variables", "variables.id", "stored.variableId")
    .innerJoin("companies", "companies.id", "stored.companyId")
    .leftJoin("users", "users.id", "stored.userId")
    .leftJoin("courses", "courses.id", "stored.courseId")
    .leftJoin("courseVersions", "courseVersions.id", "stored.versionId")
    .leftJoin("attempts", "attempts.id", "stored.attemptId")
    .leftJoin("sessions", "sessions.id", "stored.sessionId")
    .leftJoin("turns", (join) => join.onRef("turns.id", "=", "stored.turnId").on("stored.sessionId", "is", null))
    .leftJoin("conversations", "conversations.id", "turns.conversationId")
    .leftJoin("users as actors", "actors.id", "stored.actorId")
    .leftJoin("variableDeletions as deletions", "deletions.id", "stored.deletionId")
    .select([
      "stored.id",
      "stored.recordedAt",
      "stored.happenedAt",
      "stored.userId",
      learnerName.as("learner"),
      "users.email",
      "stored.companyId",
      "companies.name as company",
      "stored.courseId",
      sql<string>`coalesce(courses.title, '')`.as("course"),
      "courseVersions.number as courseVersion",
      "stored.attemptId",
      "attempts.no as attempt",
      sql<string>`coalesce((
        select part->>'title'
        from jsonb_array_elements(course_versions.parts) part
        where part->>'sco' = stored.sco
        limit 1
      ), '')`.as("part"),
      "stored.variableId",
      "variables.key",
      "variables.label",
      "variables.type",
      "variables.unit",
      "variables.scope",
      "variables.privacy",
      "stored.value",
      "stored.refusal",
      "stored.source",
      passedFrom.as("passedFrom"),
      sql<string>`coalesce(nullif(actors.name, ''), actors.email, '')`.as("actor"),
      "stored.reason",
      "stored.isCorrected as corrected",
      "stored.preview",
      "deletions.deletedAt",
      "stored.sessionId",
      "turns.conversationId",
      sql<number | null>`(extract(epoch from stored.happened_at - ${startOfSource}) * 1000)::bigint`.as("t"),
    ]);

/** The rows of a list. Values of sensitive variables are masked. */
export async function readRawValues(ctx: Ctx<User>, ids: number[]): Promise<RawValue[]> {
  if (ids.length === 0) return [];
  const rows = await describeValues(ctx, { matches: [] })
    .where("stored.id", "in", ids)
    .select(previousValue.as("previous"))
    .execute();
  const byId = new Map(
    rows.map((row) => [row.id, row.privacy === "sensitive" ? { ...row, value: null, previous: null } : row]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
