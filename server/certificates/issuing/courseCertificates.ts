import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { certificateOf, type Earned, earnedColumns } from "#server/certificates/issuing/storing.ts";

type Completed = Earned & {
  completionId: number;
  courseId: string;
  course: string;
  courseVersion: number;
  scorePercent: number | null;
  activeSeconds: number;
};

/**
 * Completions of people who are still there, in courses whose certificate is on. Days are those of the company. The
 * course has the title that it has when the certificate is issued.
 */
const findCompleted = (tx: Tx, condition: RawBuilder<unknown>, limit: number) =>
  sql<Completed>`
    select
      completion_history.id as completion_id,
      completion_history.person_id,
      completion_history.company_id,
      completion_history.course_id,
      ${earnedColumns},
      courses.title as course,
      course_versions.number as course_version,
      coalesce(completion_history.rule_text, '') as rule,
      days.completed::text as completed_on,
      -- What the company requires counts, so that the certificate and the compliance page name the same day.
      case
        when requirements.enrolment_id is null
          then (days.completed + make_interval(months => (versions.content ->> 'months')::int))::date
        else requirements.valid_until
      end::text as valid_until,
      completion_history.score_percent,
      completion_history.active_seconds
    from completion_history
    join certificate_designs designs on designs.course_id = completion_history.course_id and designs.enabled
    join certificate_design_versions versions
      on versions.course_id = designs.course_id
      and versions.number = designs.number
    join users on users.id = completion_history.person_id
    join companies on companies.id = completion_history.company_id
    join courses on courses.id = completion_history.course_id
    join course_versions on course_versions.id = completion_history.version_id
    cross join lateral (
      select (completion_history.happened_at at time zone companies.timezone)::date as completed
    ) days
    left join requirements
      on requirements.enrolment_id = completion_history.enrolment_id
      and requirements.completed_on = days.completed
    where ${condition}
      and ${lacksCertificate}
    order by completion_history.id
    limit ${limit}`
    .execute(tx)
    .then(({ rows }) => rows);

/** SQL condition: the completion stands, was made here and not elsewhere, and has no certificate. */
export const lacksCertificate = sql<boolean>`(
  not exists (
    select from completion_withdrawals
    where completion_withdrawals.completion_id = completion_history.id
  )
  and not exists (
    select from external_completions
    where external_completions.attempt_id = completion_history.attempt_id
      and external_completions.ended_at is null
  )
  and not exists (
    select from certificates
    where certificates.completion_id = completion_history.id
      and certificates.replaces is null
  )
)`;

/** Issues the certificate of a completion if its course has one, and it was not issued before. */
export async function issueForCompletion(tx: Tx, completionId: number) {
  const [completed] = await findCompleted(tx, sql`completion_history.id = ${completionId}`, 1);
  if (completed) await issue(tx, completed);
}

/** Revokes the valid certificate of a completion that was taken back. */
export const revokeForCompletion = (tx: Tx, completionId: number) =>
  sql`
    update certificates
    set revoked_at = now(),
      revoked_by = history_actor(),
      revoked_reason = case
        when history_reason() like 'completions.%' then ${"An admin took the completion back."}
        else ${"The completion was taken back when the completion rule of the course changed."}
      end
    where completion_id = ${completionId}
      and revoked_at is null
      and not exists (
        select from certificates newer
        where newer.replaces = certificates.id
      )`
    .execute(tx)
    .then(() => undefined);

/** SQL condition: completions of a course that have no certificate, after the one with this id. */
export const ofCourseAfter = (courseId: string, completionId: number) =>
  sql`completion_history.course_id = ${courseId} and completion_history.id > ${completionId}`;

/** Issues certificates for the next completions of a course without one. Returns the last id, or null at the end. */
export async function issueNextMissing(tx: Tx, courseId: string, after: number, limit: number) {
  const found = await findCompleted(tx, ofCourseAfter(courseId, after), limit);
  for (const completed of found) await issue(tx, completed);
  return found.length < limit ? null : (found.at(-1)?.completionId ?? null);
}

async function issue(tx: Tx, completed: Completed) {
  const { content, course, courseVersion } = completed;
  const score = content.fields.includes("score") ? roundedScore(completed.scorePercent) : null;
  // Half a minute or less says nothing.
  const minutes = (content.fields.includes("minutes") && Math.round(completed.activeSeconds / 60)) || null;
  const achieved = { format: "lyceum-certificate-1", course, courseVersion } as const;
  await tx
    .insertInto("certificates")
    .values({
      ...(await certificateOf(tx, completed, achieved, { score, minutes })),
      courseId: completed.courseId,
      completionId: completed.completionId,
    })
    .onConflict((conflict) => conflict.column("completionId").where("replaces", "is", null).doNothing())
    .execute();
}

const roundedScore = (percent: number | null) => (percent === null ? null : Math.round(percent * 10) / 10);
