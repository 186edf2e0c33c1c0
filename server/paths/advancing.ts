import { type Selectable, sql } from "kysely";
import type { PathChanges } from "#server/certificates/issuing/pathCompletions.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { type Given, giveCourses } from "#server/paths/giving.ts";
import { completedAt, daysAfter, progressOf, type StepProgress } from "#shared/paths/progress.ts";
import type { PathStep } from "#shared/paths/steps.ts";

// The single computation of paths: which steps are open and done, which courses they give, and whether the path is
// complete

export type PathEnrolment = Selectable<DB["pathEnrolments"]>;
type Versions = Map<number, PathStep[]>;
/** The computed state of a path enrolment. */
export type Standing = {
  enrolment: PathEnrolment;
  versionNo: number;
  steps: PathStep[];
  progress: StepProgress[];
  completedAt: string | null;
};

/**
 * Recomputes the progress of these path enrolments and stores the differences; a second run changes nothing. Locks path
 * enrolments, then courses, sessions and enrolments, as enrolment rules do. Returns which were completed or reopened.
 */
export async function advancePeople(tx: Tx, enrolmentIds: string[]): Promise<PathChanges> {
  // Not `for update`: a completion in another transaction references the row and must not wait.
  const { rows } = await sql<{ id: string }>`
    select id
    from path_enrolments
    where ${isOneOf("id", enrolmentIds)}
    order by id
    for no key update`.execute(tx);
  const here = await readHere(
    tx,
    rows.map(({ id }) => id),
  );
  const standings = await computeStandings(tx, here);
  await lockCourses(tx, standings);
  const walking = standings.filter(({ enrolment }) => enrolment.withdrawnAt === null);
  const given = walking.flatMap(listGiven);
  for (const [madeBy, some] of Map.groupBy(standings, ({ enrolment }) => enrolment.madeBy)) {
    const walkers = some.map(({ enrolment }) => enrolment);
    const mine = new Set(walkers.map(({ pathId, userId, companyId }) => `${pathId} ${userId} ${companyId}`));
    await giveCourses(
      tx,
      walkers,
      given.filter(({ pathId, userId, companyId }) => mine.has(`${pathId} ${userId} ${companyId}`)),
      madeBy,
    );
  }
  await storeStandings(tx, walking);
  return {
    completed: idsOf(walking.filter((standing) => standing.completedAt !== null && hasChanged(standing))),
    reopened: idsOf(walking.filter((standing) => standing.completedAt === null && hasChanged(standing))),
  };
}

const idsOf = (standings: Standing[]) => standings.map(({ enrolment }) => enrolment.id);
const hasChanged = ({ enrolment, completedAt: now }: Standing) => enrolment.completedAt !== now;

/**
 * The path enrolments to compute: withdrawn ones, and those whose person still belongs to the company of the enrolment.
 * The others wait until the person returns to it.
 */
const readHere = (tx: Tx, ids: string[]): Promise<PathEnrolment[]> =>
  tx
    .selectFrom("pathEnrolments")
    .innerJoin("users", "users.id", "pathEnrolments.userId")
    .where(isOneOf("pathEnrolments.id", ids))
    .where(
      sql<boolean>`(path_enrolments.withdrawn_at is not null
        or (users.company_id = path_enrolments.company_id and users.role = 'learner'))`,
    )
    .selectAll("pathEnrolments")
    .orderBy("pathEnrolments.id")
    .execute();

async function readVersions(db: Db, pathIds: string[]) {
  const rows = await db
    .selectFrom("pathVersions")
    .where(isOneOf("pathId", pathIds))
    .select(["pathId", "no", "steps", "moves"])
    .orderBy("no")
    .execute();
  return Map.groupBy(rows, ({ pathId }) => pathId);
}

/**
 * Computes path enrolments from completed courses, for the version of each or, if given, for `draft`. An enrolment that
 * has completed its version stays on it.
 */
export async function computeStandings(db: Db, people: PathEnrolment[], draft?: PathStep[]): Promise<Standing[]> {
  const versions = await readVersions(db, [...new Set(people.map(({ pathId }) => pathId))]);
  const [completions, done] = [await readCompletions(db, people), await readDone(db, people)];
  return people.map((enrolment) => {
    const ofPath = versions.get(enrolment.pathId) ?? [];
    const steps: Versions = new Map(ofPath.map((version) => [version.no, version.steps]));
    const moved = Math.max(enrolment.versionNo, ...ofPath.flatMap(({ no, moves }) => (moves ? [no] : [])));
    const draftNo = (ofPath.at(-1)?.no ?? 0) + 1;
    if (draft) steps.set(draftNo, draft);
    const next = draft ? draftNo : moved;
    const person = {
      joinedAt: enrolment.joinedAt,
      completions: completions.get(`${enrolment.userId} ${enrolment.companyId}`) ?? new Map<string, string[]>(),
      done: done.get(enrolment.id) ?? new Map<string, { at: string; version: number }>(),
    };
    const stand = (versionNo: number): Standing => {
      const own = steps.get(versionNo) ?? [];
      const progress = progressOf(versionNo, steps, person);
      return { enrolment, versionNo, steps: own, progress, completedAt: completedAt(own, progress) };
    };
    const standing = stand(enrolment.completedAt === null ? next : enrolment.versionNo);
    // If its completion was taken back, the enrolment moves like those that are not completed.
    return standing.completedAt === null ? stand(next) : standing;
  });
}

/** Completion times of courses, by person and company. */
async function readCompletions(db: Db, people: PathEnrolment[]) {
  const userIds = [...new Set(people.map(({ userId }) => userId))];
  // Courses that are open again were completed in an earlier cycle.
  const { rows } = await sql<{ userId: string; companyId: string; courseId: string; completedAt: string }>`
    select user_id, company_id, course_id, completed_at
    from enrolments
    where ${isOneOf("user_id", userIds)}
      and status = 'completed'
      and completed_at is not null
    union all
    select user_id, company_id, course_id, enrolment_cycles.completed_at
    from enrolments
    join enrolment_cycles on enrolment_cycles.enrolment_id = enrolments.id
    where ${isOneOf("user_id", userIds)}`.execute(db);
  const found = new Map<string, Map<string, string[]>>();
  for (const { userId, companyId, courseId, completedAt: time } of rows) {
    const key = `${userId} ${companyId}`;
    const ofPerson = found.get(key) ?? new Map<string, string[]>();
    ofPerson.set(courseId, [...(ofPerson.get(courseId) ?? []), time]);
    found.set(key, ofPerson);
  }
  return found;
}

async function readDone(db: Db, people: PathEnrolment[]) {
  const rows = await db
    .selectFrom("pathSteps")
    .where(
      isOneOf(
        "enrolmentId",
        people.map(({ id }) => id),
      ),
    )
    .where("doneAt", "is not", null)
    .select([
      "enrolmentId",
      "stepId",
      (e) => e.ref("doneAt").$notNull().as("at"),
      (e) => e.ref("doneVersion").$notNull().as("version"),
    ])
    .execute();
  const found = new Map<string, Map<string, { at: string; version: number }>>();
  for (const { enrolmentId, stepId, at, version } of rows)
    found.set(enrolmentId, (found.get(enrolmentId) ?? new Map()).set(stepId, { at, version }));
  return found;
}

const dueDay = ({ joinedOn }: PathEnrolment, { dueDays }: PathStep) =>
  dueDays === null ? null : daysAfter(joinedOn, dueDays);

/** The courses that open and done steps give. Courses of a done step have no due date. */
function listGiven({ enrolment, steps, progress }: Standing): Given[] {
  const { pathId, userId, companyId, notify } = enrolment;
  const shown = new Map(progress.map((step) => [step.stepId, step]));
  return steps.flatMap((step) => {
    const state = shown.get(step.id);
    if (!state) return [];
    const dueDate = state.doneAt ? null : dueDay(enrolment, step);
    return step.courseIds.map((courseId) => ({ pathId, userId, companyId, courseId, dueDate, notify }));
  });
}

/** Locks by id, in the same order as assignments. */
const lockCourses = (tx: Tx, standings: Standing[]) => {
  const courseIds = standings.flatMap(({ steps }) => steps.flatMap((step) => step.courseIds));
  return sql`
    select
    from courses
    where ${isOneOf("id", [...new Set(courseIds)])}
    order by id
    for key share`.execute(tx);
};

const courseKey = (userId: string, companyId: string, courseId: string) => `${userId} ${companyId} ${courseId}`;

/** Due dates of people's courses, by `courseKey`. */
async function readDueDays(tx: Tx, walking: Standing[]) {
  const rows = await tx
    .selectFrom("enrolments")
    .where(isOneOf("userId", [...new Set(walking.map(({ enrolment }) => enrolment.userId))]))
    .where(
      isOneOf("courseId", [...new Set(walking.flatMap(({ steps }) => steps.flatMap(({ courseIds }) => courseIds)))]),
    )
    .where("status", "<>", "withdrawn")
    .distinctOn(["userId", "companyId", "courseId"])
    .orderBy("userId")
    .orderBy("companyId")
    .orderBy("courseId")
    .orderBy("cycle", "desc")
    .select(["userId", "companyId", "courseId", "dueDate"])
    .execute();
  return new Map(rows.map((row) => [courseKey(row.userId ?? "", row.companyId, row.courseId), row.dueDate]));
}

async function storeStandings(tx: Tx, walking: Standing[]) {
  const dueDays = await readDueDays(tx, walking);
  /** An open step with one course shows the due date of the course, which a rule or an admin may have set. */
  const shownDay = ({ userId, companyId, ...enrolment }: PathEnrolment, step: PathStep, doneAt: string | null) => {
    const asked = dueDay({ userId, companyId, ...enrolment }, step);
    if (doneAt !== null || step.courseIds.length > 1) return asked;
    const key = courseKey(userId, companyId, step.courseIds[0] as string);
    return dueDays.has(key) ? (dueDays.get(key) as string | null) : asked;
  };
  const rows = walking.flatMap(({ enrolment, steps, progress }) =>
    progress.map(({ stepId, doneAt, doneVersion }) => {
      const step = steps.find(({ id }) => id === stepId) as PathStep;
      return { enrolmentId: enrolment.id, stepId, dueDate: shownDay(enrolment, step, doneAt), doneAt, doneVersion };
    }),
  );
  const listed = sql`unnest(
      ${rows.map(({ enrolmentId }) => enrolmentId)}::uuid[],
      ${rows.map(({ stepId }) => stepId)}::uuid[],
      ${rows.map(({ dueDate }) => dueDate)}::date[],
      ${rows.map(({ doneAt }) => doneAt)}::timestamptz[],
      ${rows.map(({ doneVersion }) => doneVersion)}::integer[]
    ) listed (enrolment_id, step_id, due_date, done_at, done_version)`;
  await sql`
    delete from path_steps
    where ${isOneOf(
      "enrolment_id",
      walking.map(({ enrolment }) => enrolment.id),
    )}
      and (enrolment_id, step_id) not in (
        select listed.enrolment_id, listed.step_id
        from ${listed}
      )`.execute(tx);
  await sql`
    insert into path_steps (enrolment_id, step_id, due_date, done_at, done_version)
    select *
    from ${listed}
    on conflict (enrolment_id, step_id) do update
    set due_date = excluded.due_date, done_at = excluded.done_at, done_version = excluded.done_version
    where (path_steps.due_date, path_steps.done_at, path_steps.done_version)
      is distinct from (excluded.due_date, excluded.done_at, excluded.done_version)`.execute(tx);
  await sql`
    update path_enrolments
    set version_no = listed.version_no, completed_at = listed.completed_at
    from unnest(
      ${walking.map(({ enrolment }) => enrolment.id)}::uuid[],
      ${walking.map(({ versionNo }) => versionNo)}::integer[],
      ${walking.map((standing) => standing.completedAt)}::timestamptz[]
    ) listed (id, version_no, completed_at)
    where path_enrolments.id = listed.id
      and (path_enrolments.version_no, path_enrolments.completed_at)
        is distinct from (listed.version_no, listed.completed_at)`.execute(tx);
}
