import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { Path, PathCourse, PathDetail, paths } from "#shared/paths/paths.ts";
import type { PathStep } from "#shared/paths/steps.ts";

export const PATH_SCOPE = { company: "pathEnrolments.companyId", person: "pathEnrolments.userId" };
export type Reader = Pick<Ctx<User>, "db" | "user">;

/** SQL: the person belongs to the company of the path enrolment. After a move it is paused until they return. */
export const isHere = sql<boolean>`exists (
    select from users here
    where here.id = path_enrolments.user_id
      and here.company_id = path_enrolments.company_id
      and here.role = 'learner'
  )`;
/** SQL: an open step is past its due date, from `path_steps` and `companies`. */
export const isStepOverdue = sql<boolean>`(path_steps.done_at is null
  and is_overdue(path_steps.due_date, companies.timezone, 'assigned'))`;
/** SQL: a path enrolment has an overdue step, from `path_enrolments` and `companies`. */
export const isPathOverdue = sql<boolean>`(path_enrolments.completed_at is null and exists (
    select from path_steps
    where path_steps.enrolment_id = path_enrolments.id
      and ${isStepOverdue}
  ))`;

export async function listPaths(ctx: Reader, query: QueryOf<typeof paths.list>) {
  let rows = ctx.db.selectFrom("paths");
  if (query.status) rows = rows.where("status", "=", query.status);
  if (query.q) rows = rows.where(searchFor(query.q, ["paths.title"]));
  const order = orderBy(
    query.sort,
    { title: { notNull: sql`lower(paths.title)` }, updatedAt: { notNull: sql`paths.updated_at` } },
    { text: query.q, columns: ["paths.title"] },
  );
  return readPage(query, {
    ids: rows.orderBy(order).orderBy("paths.id").select("paths.id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: async (ids) =>
      (await readPaths(ctx, ids)).map(({ draft: _, live, ...row }) => ({ ...row, live: live?.no ?? null })),
  });
}

type Row = Omit<Path, "live"> & { draft: PathStep[]; live: Live | null };
type Live = { no: number; steps: PathStep[]; publishedAt: string; publishedBy: string };

async function readPaths({ db, user }: Reader, ids: string[]): Promise<Row[]> {
  const rows = await db
    .selectFrom("paths")
    .where(isOneOf("id", ids))
    .select(["id", "title", "description", "status", "draft", "version", "updatedAt"])
    .execute();
  const counts = await db
    .selectFrom("pathEnrolments")
    .innerJoin("companies", "companies.id", "pathEnrolments.companyId")
    .where(isOneOf("pathId", ids))
    .where("withdrawnAt", "is", null)
    .where(inScope(user, PATH_SCOPE))
    .where(isHere)
    .groupBy("pathId")
    .select([
      "pathId",
      sql<number>`count(*)::int`.as("learners"),
      sql<number>`(count(*) filter (where path_enrolments.completed_at is not null))::int`.as("complete"),
      sql<number>`(count(*) filter (where ${isPathOverdue}))::int`.as("overdue"),
    ])
    .execute();
  const live = await readLive(db, ids);
  return rows.map((row) => {
    const version = live.get(row.id) ?? null;
    const { learners = 0, complete = 0, overdue = 0 } = counts.find(({ pathId }) => pathId === row.id) ?? {};
    return { ...row, learners, complete, overdue, live: version, steps: (version?.steps ?? row.draft).length };
  });
}

/** The latest version of these paths. */
async function readLive(db: Db, ids: string[]) {
  const rows = await db
    .selectFrom("pathVersions")
    .leftJoin("users", "users.id", "pathVersions.publishedBy")
    .where(isOneOf("pathId", ids))
    .distinctOn("pathId")
    .orderBy("pathId")
    .orderBy("no", "desc")
    .select(["pathId", "no", "steps", "publishedAt"])
    .select(sql<string>`coalesce(nullif(users.name, ''), users.email, '')`.as("publishedBy"))
    .execute();
  return new Map<string, Live>(rows.map(({ pathId, ...version }) => [pathId, version]));
}

/** One path with its draft; 404 if it is unknown. */
export async function getPath(ctx: Reader, id: string): Promise<PathDetail> {
  const [row] = await readPaths(ctx, [id]);
  if (!row) throw notFound();
  const { live, ...rest } = row;
  const courseIds = [...rest.draft, ...(live?.steps ?? [])].flatMap((step) => step.courseIds);
  return {
    ...rest,
    live: live?.no ?? null,
    publishedAt: live?.publishedAt ?? null,
    publishedBy: live?.publishedBy ?? null,
    changed: !live || !isDeepStrictEqual(rest.draft, live.steps),
    courses: await readCourses(ctx.db, courseIds),
    counts: await countSteps(ctx, id),
  };
}

export const readCourses = (db: Db, ids: string[]): Promise<PathCourse[]> =>
  db
    .selectFrom("courses")
    .where(isOneOf("id", [...new Set(ids)]))
    .orderBy(sql`lower(title)`)
    .orderBy("id")
    .select(["id", "title", "code", "kind", "minutes", "status"])
    .execute();

/** Counts, for each step, the people who have done it, are in progress, or are overdue. */
async function countSteps({ db, user }: Reader, pathId: string) {
  const { rows } = await sql<PathDetail["counts"][number]>`
    with mine as materialized (
      select path_enrolments.id, path_enrolments.version_no, companies.timezone
      from path_enrolments
      join companies on companies.id = path_enrolments.company_id
      where path_enrolments.path_id = ${pathId}
        and path_enrolments.withdrawn_at is null
        and ${inScope(user, PATH_SCOPE)}
        and ${isHere}
    ),
    asked as (
      select (step->>'id')::uuid as step_id, sum(people)::int as people, min(place) as place
      from (select version_no, count(*) as people from mine group by version_no) versions
      join path_versions on path_versions.path_id = ${pathId} and path_versions.no = versions.version_no
      cross join jsonb_array_elements(path_versions.steps) with ordinality listed (step, place)
      group by 1
    ),
    shown as (
      select path_steps.step_id,
        count(*) filter (where done_at is not null)::int as done,
        count(*) filter (where done_at is null and not is_overdue(due_date, timezone, 'assigned'))::int as in_progress,
        count(*) filter (where done_at is null and is_overdue(due_date, timezone, 'assigned'))::int as overdue
      from mine
      join path_steps on path_steps.enrolment_id = mine.id
      group by path_steps.step_id
    )
    select asked.step_id, asked.people, coalesce(done, 0) as done, coalesce(in_progress, 0) as in_progress,
      coalesce(overdue, 0) as overdue
    from asked
    left join shown on shown.step_id = asked.step_id
    order by asked.place, asked.step_id`.execute(db);
  return rows;
}
