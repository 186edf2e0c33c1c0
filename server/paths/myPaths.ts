import { sql } from "kysely";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { isStepOverdue } from "#server/paths/pathRows.ts";
import type { User } from "#shared/core/users.ts";
import type { MyPath, MyPathCourse, MyPathStep } from "#shared/paths/myPaths.ts";
import { type PathStep, titleOf } from "#shared/paths/steps.ts";

/** Bound of the list; no learner has that many paths. */
const MAX_OWN = 100;

/** The learner's own paths: incomplete ones first, by their next due date. */
export async function listMyPaths(ctx: Ctx<User>) {
  const items = await readMyPaths(ctx);
  return { items, total: items.length };
}

export async function getMyPath(ctx: Ctx<User>, id: string) {
  const [path] = await readMyPaths(ctx, id);
  if (!path) throw notFound();
  return path;
}

type Shown = { stepId: string; dueDate: string | null; doneAt: string | null; overdue: boolean };

async function readMyPaths({ db, user }: Ctx<User>, id?: string): Promise<MyPath[]> {
  if (!user.companyId) return [];
  const rows = await db
    .selectFrom("pathEnrolments")
    .innerJoin("paths", "paths.id", "pathEnrolments.pathId")
    .innerJoin("pathVersions", (join) =>
      join
        .onRef("pathVersions.pathId", "=", "pathEnrolments.pathId")
        .onRef("pathVersions.no", "=", "pathEnrolments.versionNo"),
    )
    .where("pathEnrolments.userId", "=", user.id)
    .where("pathEnrolments.companyId", "=", user.companyId)
    .where("pathEnrolments.withdrawnAt", "is", null)
    .$if(id !== undefined, (mine) => mine.where("paths.id", "=", id as string))
    .select([
      "pathEnrolments.id as enrolmentId",
      "pathEnrolments.companyId",
      "pathEnrolments.joinedAt",
      "pathEnrolments.completedAt",
      "paths.id",
      "paths.title",
      "paths.description",
      "pathVersions.steps",
    ])
    .orderBy(sql`path_enrolments.completed_at desc nulls first`)
    .orderBy(
      sql`(
        select min(path_steps.due_date)
        from path_steps
        where path_steps.enrolment_id = path_enrolments.id
          and path_steps.done_at is null
      ) nulls last`,
    )
    .orderBy("pathEnrolments.joinedAt")
    .orderBy("paths.id")
    .limit(MAX_OWN)
    .execute();
  const shown = await db
    .selectFrom("pathSteps")
    .innerJoin("pathEnrolments", "pathEnrolments.id", "pathSteps.enrolmentId")
    .innerJoin("companies", "companies.id", "pathEnrolments.companyId")
    .where(
      isOneOf(
        "enrolmentId",
        rows.map(({ enrolmentId }) => enrolmentId),
      ),
    )
    .select(["enrolmentId", "stepId", "dueDate", "doneAt", isStepOverdue.as("overdue")])
    .execute();
  const courses = await readOwnCourses(
    { db, user },
    rows.flatMap(({ steps }) => steps.flatMap((step) => step.courseIds)),
  );
  const titles = new Map([...courses.values()].map(({ courseId, title }) => [courseId, title]));
  return rows.map(({ enrolmentId, steps, ...row }) => {
    const mine = new Map(shown.flatMap((one) => (one.enrolmentId === enrolmentId ? [[one.stepId, one]] : [])));
    return { ...row, steps: steps.map((step) => describeStep(step, steps, mine, courses, titles)) };
  });
}

function describeStep(
  step: PathStep,
  steps: PathStep[],
  mine: ReadonlyMap<string, Shown>,
  courses: ReadonlyMap<string, MyPathCourse>,
  titles: ReadonlyMap<string, string>,
): MyPathStep {
  const own = mine.get(step.id);
  const shown = own?.doneAt ? "done" : "open";
  const state = own ? shown : "locked";
  const waiting = steps.filter(({ id }) => step.after.includes(id) && !mine.get(id)?.doneAt);
  return {
    id: step.id,
    title: titleOf(step, titles),
    needed: step.needed,
    state,
    courses: step.courseIds.flatMap((id) => courses.get(id) ?? []),
    opensAfter: state === "locked" ? waiting.map((one) => titleOf(one, titles)) : [],
    dueDate: own?.dueDate ?? null,
    overdue: own?.overdue ?? false,
    doneAt: own?.doneAt ?? null,
  };
}

/** Courses of paths, with the learner's latest enrolment in their current company. */
async function readOwnCourses({ db, user }: Pick<Ctx<User>, "db" | "user">, ids: string[]) {
  const { rows } = await sql<MyPathCourse>`
    select courses.id as course_id, courses.title, courses.code, courses.kind, courses.minutes,
      nullif(mine.status, 'withdrawn') as status, mine.progress, mine.completed_at,
      courses.status = 'archived' as is_archived
    from courses
    left join lateral (
      select status, progress, completed_at
      from enrolments
      where enrolments.course_id = courses.id
        and enrolments.user_id = ${user.id}
        and enrolments.company_id = ${user.companyId}
      order by cycle desc
      limit 1
    ) mine on true
    where ${isOneOf("courses.id", [...new Set(ids)])}`.execute(db);
  return new Map(rows.map((row) => [row.courseId, row]));
}
