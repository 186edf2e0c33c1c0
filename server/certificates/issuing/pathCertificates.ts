import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { certificateOf, type Earned, earnedColumns } from "#server/certificates/issuing/storing.ts";
import { pathRule } from "#shared/certificates/pathRule.ts";
import type { PathStep } from "#shared/paths/steps.ts";

type Completed = Omit<Earned, "rule"> & {
  pathEnrolmentId: string;
  pathCompletedAt: string;
  pathId: string;
  path: string;
  pathVersion: number;
  /** In the order of the version, with the terms under which each was done. */
  steps: PathStep[];
};

/**
 * SQL: the steps that were done of path enrolments, as `path_steps`, each with `step`: its terms in the version under
 * which it was done.
 */
const doneSteps = sql`
  path_steps
  join path_versions done_under
    on done_under.path_id = path_enrolments.path_id
    and done_under.no = path_steps.done_version
  join jsonb_array_elements(done_under.steps) step on (step ->> 'id')::uuid = path_steps.step_id`;

/** SQL: a course by which a step was done was completed here, so not everything elsewhere. */
const hasOwnCourse = sql`exists (
  select from ${doneSteps}
  cross join jsonb_array_elements_text(step -> 'courseIds') course
  join enrolments
    on enrolments.course_id = course::uuid
    and enrolments.user_id = path_enrolments.user_id
    and enrolments.company_id = path_enrolments.company_id
  join attempts on attempts.enrolment_id = enrolments.id and attempts.completed_at is not null
  where path_steps.enrolment_id = path_enrolments.id
    and not attempts.preview
    and not exists (
      select from external_completions
      where external_completions.attempt_id = attempts.id
        and external_completions.ended_at is null
    )
)`;

/**
 * SQL condition: the path is completed, and neither has this completion a certificate, nor the person one of the same
 * version that still counts: who comes back to a path and does nothing gets no second one.
 */
export const lacksPathCertificate = sql<boolean>`(
  path_enrolments.completed_at is not null
  and ${hasOwnCourse}
  and not exists (
    select from certificates
    where certificates.path_enrolment_id = path_enrolments.id
      and certificates.path_completed_at = path_enrolments.completed_at
      and certificates.replaces is null
  )
  and not exists (
    select from certificates held
    where held.person_id = path_enrolments.user_id
      and held.company_id = path_enrolments.company_id
      and held.path_id = path_enrolments.path_id
      and (held.facts ->> 'pathVersion')::int = path_enrolments.version_no
      and held.revoked_at is null
      and held.taken_back_at is null
      and not exists (
        select from certificates later
        where later.replaces = held.id
      )
  )
)`;

/** Completed paths whose certificate is on, of people who are still there. Titles are those of today. */
const findCompleted = (tx: Tx, condition: RawBuilder<unknown>, limit: number) =>
  sql<Completed>`
    select
      path_enrolments.id as path_enrolment_id,
      path_enrolments.completed_at as path_completed_at,
      path_enrolments.user_id as person_id,
      path_enrolments.company_id,
      path_enrolments.path_id,
      ${earnedColumns},
      paths.title as path,
      path_enrolments.version_no as path_version,
      terms.steps,
      days.completed::text as completed_on,
      (days.completed + make_interval(months => (versions.content ->> 'months')::int))::date::text as valid_until
    from path_enrolments
    join certificate_designs designs on designs.path_id = path_enrolments.path_id and designs.enabled
    join certificate_design_versions versions
      on versions.path_id = designs.path_id
      and versions.number = designs.number
    join users on users.id = path_enrolments.user_id
    join companies on companies.id = path_enrolments.company_id
    join paths on paths.id = path_enrolments.path_id
    join path_versions
      on path_versions.path_id = path_enrolments.path_id
      and path_versions.no = path_enrolments.version_no
    cross join lateral (
      select jsonb_agg(step order by place) as steps
      from ${doneSteps}
      join jsonb_array_elements(path_versions.steps) with ordinality as own (terms, place)
        on own.terms ->> 'id' = step ->> 'id'
      where path_steps.enrolment_id = path_enrolments.id
    ) terms
    cross join lateral (
      select (path_enrolments.completed_at at time zone companies.timezone)::date as completed
    ) days
    where ${condition}
      and ${lacksPathCertificate}
    order by path_enrolments.id
    limit ${limit}`
    .execute(tx)
    .then(({ rows }) => rows);

type Counted = { enrolmentId: string; stepId: string; needed: number; title: string; isElsewhere: boolean };

/**
 * The courses that have completed the steps, by the terms under which each was done, in the order of their completion.
 * The time of a path has milliseconds, those of courses have microseconds.
 */
const readCounted = (tx: Tx, enrolmentIds: string[]) =>
  sql<Counted>`
    select
      path_enrolments.id as enrolment_id,
      terms.step_id,
      (terms.step ->> 'needed')::int as needed,
      courses.title,
      exists (
        select from attempts
        join external_completions
          on external_completions.attempt_id = attempts.id
          and external_completions.ended_at is null
        where attempts.enrolment_id = done.enrolment_id
          and attempts.no >= done.first_attempt
      ) as is_elsewhere
    from path_enrolments
    cross join lateral (
      select path_steps.step_id, step
      from ${doneSteps}
      where path_steps.enrolment_id = path_enrolments.id
    ) terms
    cross join jsonb_array_elements_text(terms.step -> 'courseIds') course
    join courses on courses.id = course::uuid
    cross join lateral (
      select *
      from (
        select id as enrolment_id, first_attempt, completed_at
        from enrolments
        where user_id = path_enrolments.user_id
          and company_id = path_enrolments.company_id
          and course_id = courses.id
          and status = 'completed'
        union all
        select enrolments.id, enrolment_cycles.first_attempt, enrolment_cycles.completed_at
        from enrolments
        join enrolment_cycles on enrolment_cycles.enrolment_id = enrolments.id
        where enrolments.user_id = path_enrolments.user_id
          and enrolments.company_id = path_enrolments.company_id
          and enrolments.course_id = courses.id
      ) completions
      where date_trunc('milliseconds', completed_at) <= path_enrolments.completed_at
        and completed_at >= coalesce(
          path_enrolments.joined_at - make_interval(months => (terms.step ->> 'earlierMonths')::int),
          '-infinity'
        )
      order by completed_at
      limit 1
    ) done
    where ${isOneOf("path_enrolments.id", enrolmentIds)}
    order by done.completed_at, courses.id`
    .execute(tx)
    .then(({ rows }) => rows);

async function readTitles(tx: Tx, completed: Completed[]) {
  const ids = new Set(completed.flatMap(({ steps }) => steps.flatMap(({ courseIds }) => courseIds)));
  const rows = await tx
    .selectFrom("courses")
    .where(isOneOf("id", [...ids]))
    .select(["id", "title"])
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Returns the ids of the certificates. */
async function issueAll(tx: Tx, completed: Completed[]) {
  const issued: string[] = [];
  if (completed.length === 0) return issued;
  const titles = await readTitles(tx, completed);
  const counted = Map.groupBy(
    await readCounted(
      tx,
      completed.map(({ pathEnrolmentId }) => pathEnrolmentId),
    ),
    ({ enrolmentId }) => enrolmentId,
  );
  for (const { pathEnrolmentId, pathCompletedAt, pathId, path, pathVersion, steps, ...earned } of completed) {
    const own = counted.get(pathEnrolmentId) ?? [];
    const chosen = steps.flatMap((step) => {
      const ofStep = own.filter(({ stepId }) => stepId === step.id);
      return ofStep.slice(0, ofStep[0]?.needed);
    });
    const titlesOf = (elsewhere: boolean) =>
      chosen.filter(({ isElsewhere }) => isElsewhere === elsewhere).map(({ title }) => title);
    const row = await certificateOf(
      tx,
      { ...earned, rule: pathRule(steps, titles) },
      {
        format: "lyceum-path-certificate-1",
        path,
        pathVersion,
        steps: steps.length,
        courses: titlesOf(false),
        elsewhere: titlesOf(true),
      },
      { score: null, minutes: null },
    );
    const made = await tx
      .insertInto("certificates")
      .values({ ...row, pathId, pathEnrolmentId, pathCompletedAt })
      .onConflict((conflict) =>
        conflict
          .columns(["pathEnrolmentId", "pathCompletedAt"])
          .where("replaces", "is", null)
          .where("pathEnrolmentId", "is not", null)
          .doNothing(),
      )
      .returning("id")
      .executeTakeFirst();
    if (made) issued.push(made.id);
  }
  return issued;
}

/** Issues the certificates of completed path enrolments, in the transaction that completes them. Returns their ids. */
export const issueForPaths = async (tx: Tx, enrolmentIds: string[]) =>
  issueAll(tx, await findCompleted(tx, isOneOf("path_enrolments.id", enrolmentIds), enrolmentIds.length));

/** SQL condition: who is on a path, after the path enrolment with this id. */
const ofPathAfter = (pathId: string, enrolmentId: string) =>
  sql`path_enrolments.path_id = ${pathId} and path_enrolments.id > ${enrolmentId}`;

/** Issues certificates for the next completions of a path without one. Returns the last id, or null at the end. */
export async function issueNextMissingOfPath(tx: Tx, pathId: string, after: string, limit: number) {
  const completed = await findCompleted(tx, ofPathAfter(pathId, after), limit);
  await issueAll(tx, completed);
  return completed.length < limit ? null : (completed.at(-1)?.pathEnrolmentId ?? null);
}

/**
 * Notes on certificates whether their path is still completed. It revokes none: nobody has chosen that. Certificates of
 * an earlier time on the path stay as they are.
 */
export const noteTakenBack = (tx: Tx, enrolmentIds: string[]) =>
  sql`
    update certificates
    set taken_back_at = case when path_enrolments.completed_at is distinct from path_completed_at then now() end
    from path_enrolments
    where ${isOneOf("path_enrolments.id", enrolmentIds)}
      and certificates.path_enrolment_id = path_enrolments.id
      and date_trunc('milliseconds', path_enrolments.joined_at) <= path_completed_at
      and (taken_back_at is null) = (path_enrolments.completed_at is distinct from path_completed_at)`
    .execute(tx)
    .then(() => undefined);
