import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { nextCycle } from "#server/courses/enrolments.ts";
import { withReason } from "#server/courses/reasons.ts";
import { completeAttempt } from "#server/player/outcomes.ts";
import type { CompletionBefore, ExternalBefore } from "#shared/completions/completionBefore.ts";

// Completions from before a company came here, or from elsewhere. The latest one of a course that the person has not
// started completes the enrolment, by an attempt without events; others are history, which requirements and transcripts
// count. Nothing that follows from completions here follows from them: no certificate, no email.

/** By whom completions are recorded, and from which file; by hand from none. */
export type ExternalSource = {
  companyId: string;
  importId: string | null;
  fileName: string | null;
  actorId: string;
};
/** `courseId`: null if the course is not one of this platform. */
export type ExternalCompletion = {
  /** In the file; null without one. */
  row: number | null;
  personId: string;
  courseId: string | null;
  title: string;
  completedOn: string;
  scorePercent: number | null;
  reference: string;
};

type Enrolment = CompletionBefore["enrolment"] & {
  id: string;
  cycle: number;
  firstAttempt: number;
  lastAttempt: number;
  happenedAt: string | null;
  /** An attempt of the present cycle exists. */
  isStarted: boolean;
};
/** A course that can be completed. */
type Course = { id: string; liveVersionId: string };

/**
 * Locks each course of a person in one order, as launches and decisions do, their completions of other courses too,
 * and then the people, so that nobody moves to another company meanwhile.
 */
export async function lockCourses(tx: Tx, keys: { personId: string; courseId: string | null }[]) {
  const locks = keys.map(({ personId, courseId }) =>
    courseId ? `launch ${personId} ${courseId}` : `past ${personId}`,
  );
  for (const lock of [...new Set(locks)].toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  await tx
    .selectFrom("users")
    .where(isOneOf("users.id", [...new Set(keys.map(({ personId }) => personId))]))
    .orderBy("id")
    .forShare()
    .select("id")
    .execute();
}

/**
 * Stores completions, each person and course of them locked, and returns their ids. Those that are known already are
 * not stored again.
 */
export async function addExternal(tx: Tx, source: ExternalSource, completions: ExternalCompletion[]) {
  const ids: string[] = [];
  const courses = await findCourses(
    tx,
    completions.flatMap(({ courseId }) => courseId ?? []),
  );
  for (const completion of completions) {
    const course = completion.courseId === null ? undefined : courses.get(completion.courseId);
    const stored = await addOne(tx, source, completion, course);
    if (stored) ids.push(stored.id);
  }
  return ids;
}

async function findCourses(tx: Tx, ids: string[]): Promise<Map<string, Course>> {
  const found = await tx
    .selectFrom("courses")
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where("status", "=", "published")
    .where("liveVersionId", "is not", null)
    .select(["id", sql<string>`live_version_id`.as("liveVersionId")])
    .execute();
  return new Map(found.map((course) => [course.id, course]));
}

async function addOne(tx: Tx, source: ExternalSource, completion: ExternalCompletion, course: Course | undefined) {
  if ((await findKnown(tx, source.companyId, [{ ...completion, row: 0 }])).size > 0) return null;
  const at = await noonOf(tx, source.companyId, completion.completedOn);
  const enrolment = course && (await findEnrolment(tx, source, completion.personId, course.id));
  const isLatest = !enrolment || (await isAfterAll(tx, enrolment.id, completion.completedOn));
  const isOpen = !enrolment || (enrolment.status === "assigned" && !enrolment.isStarted);
  if (!course || !isOpen || !isLatest) return store(tx, source, completion, { attemptId: null, before: null });
  const target = enrolment ?? (await enrol(tx, source, completion.personId, course.id, at));
  const { id, cycle, firstAttempt: _, lastAttempt, isStarted: _started, happenedAt, ...outcome } = target;
  const { id: attemptId, rev } = await tx
    .insertInto("attempts")
    .values({
      enrolmentId: id,
      userId: completion.personId,
      companyId: source.companyId,
      courseId: course.id,
      versionId: course.liveVersionId,
      no: lastAttempt + 1,
      scorePercent: completion.scorePercent,
      startedAt: at,
    })
    .returning(["id", "rev"])
    .executeTakeFirstOrThrow();
  // Before the completion, whose history reads it.
  const before: ExternalBefore = { isNew: !enrolment, cycle, happenedAt, enrolment: outcome };
  const stored = await store(tx, source, completion, { attemptId, before });
  await completeAttempt(tx, { attemptId, rev, at });
  if (completion.scorePercent !== null)
    await tx.updateTable("enrolments").set({ scorePercent: completion.scorePercent }).where("id", "=", id).execute();
  return stored;
}

/** The rows of completions that are known already: imported before, or made here on that day. */
export async function findKnown(
  tx: Tx,
  companyId: string,
  completions: (ExternalCompletion & { row: number })[],
): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`
    select asked.number
    from unnest(
      ${completions.map(({ row }) => row)}::integer[],
      ${completions.map(({ personId }) => personId)}::uuid[],
      ${completions.map(({ courseId }) => courseId)}::uuid[],
      ${completions.map(({ title }) => title)}::text[],
      ${completions.map(({ completedOn }) => completedOn)}::date[]
    ) asked (number, user_id, course_id, title, completed_on)
    left join courses on courses.id = asked.course_id
    where exists (
      select from external_completions
      where external_completions.person_id = asked.user_id
        and external_completions.company_id = ${companyId}
        and external_completions.completed_on = asked.completed_on
        and (
          external_completions.course_id = asked.course_id
          or (
            external_completions.course_id is null
            and lower(external_completions.title) in (lower(asked.title), lower(courses.title), lower(courses.code))
          )
        )
    ) or exists (
      select from enrolments
      join companies on companies.id = enrolments.company_id
      where enrolments.user_id = asked.user_id
        and enrolments.company_id = ${companyId}
        and enrolments.course_id = asked.course_id
        and asked.completed_on = any(completion_days(enrolments.id, companies.timezone))
    )`.execute(tx);
  return new Set(rows.map(({ number }) => number));
}

/** The middle of a day in the zone of a company. */
async function noonOf(tx: Tx, companyId: string, day: string) {
  const { at } = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(sql<string>`least((${day}::date + time '12:00') at time zone timezone, now())`.as("at"))
    .executeTakeFirstOrThrow();
  return at;
}

/** The enrolment of a person in a course, locked; undefined without one. */
async function findEnrolment(tx: Tx, { companyId }: ExternalSource, personId: string, courseId: string) {
  const { rows } = await sql<Enrolment>`
    select id, cycle, first_attempt, happened_at, status, success, progress, score_percent, completed_at, parts_done,
      current_part, first_started_at,
      (
        select coalesce(max(no), 0)
        from attempts
        where attempts.enrolment_id = enrolments.id
          and not attempts.preview
      ) as last_attempt,
      exists (
        select from attempts
        where attempts.enrolment_id = enrolments.id
          and attempts.no >= enrolments.first_attempt
          and not attempts.preview
      ) as is_started
    from enrolments
    where user_id = ${personId}
      and course_id = ${courseId}
      and company_id = ${companyId}
    order by cycle desc
    limit 1
    for no key update`.execute(tx);
  return rows[0];
}

/** Every other completion of the enrolment was earlier. */
async function isAfterAll(tx: Tx, enrolmentId: string, day: string) {
  const { rows } = await sql<{ isAfter: boolean }>`
    select ${day}::date > all(completion_days(enrolments.id, companies.timezone)) as is_after
    from enrolments
    join companies on companies.id = enrolments.company_id
    where enrolments.id = ${enrolmentId}`.execute(tx);
  return rows[0]?.isAfter ?? true;
}

/** Enrols a person in a course since the day on which they completed it. */
async function enrol(tx: Tx, source: ExternalSource, personId: string, courseId: string, at: string) {
  await withReason(tx, "elsewhere", () =>
    tx
      .insertInto("enrolments")
      .values({
        userId: personId,
        companyId: source.companyId,
        courseId,
        source: "manual",
        assignedBy: source.actorId,
        assignedAt: at,
        cycle: nextCycle(sql`${personId}`, sql`${courseId}`),
      })
      .execute(),
  );
  return (await findEnrolment(tx, source, personId, courseId)) as Enrolment;
}

const store = (
  tx: Tx,
  { companyId, importId, fileName, actorId }: ExternalSource,
  { row, ...completion }: ExternalCompletion,
  { attemptId, before }: { attemptId: string | null; before: ExternalBefore | null },
) =>
  tx
    .insertInto("externalCompletions")
    .values({
      ...completion,
      companyId,
      importId,
      fileName,
      rowNumber: row,
      createdBy: actorId,
      attemptId,
      before: before && JSON.stringify(before),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
