import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { MAX_ENTRIES, type TranscriptEntry } from "#shared/transcripts/transcripts.ts";

/**
 * Where a completion came from: its enrolment, the cycle, and when exactly it happened. One from elsewhere that has not
 * completed an enrolment is named by its own id and the cycle 0.
 */
export type Source = { enrolmentId: string; cycle: number; completedAt: string };
/**
 * `total`: all completions that were asked for. `courseId` is null for one that is known only by its title.
 */
export type Completion = TranscriptEntry & Source & { courseId: string | null; total: number };

type Asked = {
  personId: string;
  companyId: string;
  /** The time zone of days, IANA. */
  zone: string;
  /** Only completions of these enrolments and cycles; by default the newest `MAX_ENTRIES` of all. */
  only?: Pick<Source, "enrolmentId" | "cycle">[];
  /** Only completions since this day. */
  since?: string;
};

/** Completions of a person in a company, the newest first, with the earlier ones of courses that opened again. */
export async function readCompletions(
  db: Db,
  { personId, companyId, zone, only, since }: Asked,
): Promise<Completion[]> {
  const { rows } = await sql<Omit<Completion, "elsewhere"> & { elsewhere: string | null }>`
    with own as (
      select id, cycle, course_id, first_attempt, completed_at, success, score_percent, null::timestamptz as closed_at
      from enrolments
      where user_id = ${personId}
        and company_id = ${companyId}
    ),
    cycles as (
      select *
      from own
      union all
      select own.id, closed.cycle, own.course_id, closed.first_attempt, closed.completed_at, closed.success,
        closed.score_percent, closed.closed_at
      from own
      join enrolment_cycles closed on closed.enrolment_id = own.id
    ),
    -- The attempts of a cycle end where those of the next one begin.
    bounded as (
      select *,
        lead(first_attempt) over by_cycle as next_attempt,
        lag(closed_at) over by_cycle as opened_at
      from cycles
      window by_cycle as (partition by id order by cycle)
    ),
    completed as (
      select id, cycle, course_id, first_attempt, next_attempt, opened_at, closed_at, completed_at, success,
        score_percent, null as title, null as reference
      from bounded
      where completed_at is not null
      union all
      select id, 0, course_id, null, null, null, null, (completed_on + time '12:00') at time zone ${zone}, 'unknown',
        score_percent, title, reference
      from external_completions
      where person_id = ${personId}
        and company_id = ${companyId}
        and attempt_id is null
        and ended_at is null
    ),
    dated as (
      select completed.*,
        coalesce(external.completed_on, (completed_at at time zone ${zone})::date) as completed_on,
        coalesce(completed.reference, external.reference) as elsewhere
      from completed
      left join lateral (
        select external_completions.completed_on, external_completions.reference
        from external_completions
        join attempts on attempts.id = external_completions.attempt_id
        where attempts.enrolment_id = completed.id
          and attempts.no >= completed.first_attempt
          and attempts.no < coalesce(completed.next_attempt, 2147483647)
          and external_completions.ended_at is null
        limit 1
      ) external on true
      ${only ? isOneOfSources(only) : sql``}
    )
    select
      dated.id as enrolment_id, dated.cycle, dated.course_id, coalesce(courses.title, dated.title) as course,
      coalesce(courses.code, '') as code,
      dated.completed_at, dated.completed_on::text, dated.success, dated.score_percent,
      -- Of what was completed elsewhere, no time is known.
      case when dated.elsewhere is null then coalesce(spent.active_seconds, 0) else spent.active_seconds end
        as active_seconds,
      case when dated.elsewhere is null then coalesce(spent.reported_seconds, 0) else spent.reported_seconds end
        as reported_seconds,
      coalesce(
        certificate.valid_until,
        case when requirements.completed_on = dated.completed_on then requirements.valid_until end
      )::text as valid_until,
      certificate.number as certificate,
      exists (
        select from completion_decisions decision
        where decision.enrolment_id = dated.id
          and decision.kind = 'set'
          and decision.ended_at is null
          and decision.made_at <= coalesce(dated.closed_at, 'infinity')
          and decision.made_at > coalesce(dated.opened_at, '-infinity')
      ) as set_by_admin,
      dated.elsewhere,
      count(*) over ()::int as total
    from dated
    left join courses on courses.id = dated.course_id
    left join requirements
      on requirements.user_id = ${personId}
      and requirements.company_id = ${companyId}
      and requirements.course_id = dated.course_id
    left join lateral (
      select nullif(sum(active_seconds), 0)::int as active_seconds,
        nullif(sum(reported_seconds), 0)::int as reported_seconds
      from attempts
      where attempts.enrolment_id = dated.id
        and not attempts.preview
        and attempts.no >= dated.first_attempt
        and attempts.no < coalesce(dated.next_attempt, 2147483647)
    ) spent on true
    left join lateral (
      select certificates.number, certificates.valid_until
      from completion_history done
      join certificates on certificates.completion_id = done.id
      where done.enrolment_id = dated.id
        and done.attempt_no >= dated.first_attempt
        and done.attempt_no < coalesce(dated.next_attempt, 2147483647)
        and certificates.revoked_at is null
        and not exists (
          select from certificates later
          where later.replaces = certificates.id
        )
      order by done.happened_at, done.id
      limit 1
    ) certificate on true
    ${since ? sql`where dated.completed_on >= ${since}::date` : sql``}
    order by dated.completed_at desc, dated.id, dated.cycle desc
    ${only ? sql`` : sql`limit ${sql.lit(MAX_ENTRIES)}`}`.execute(db);
  return rows.map(({ elsewhere, ...row }) => ({ ...row, ...(elsewhere !== null && { elsewhere }) }));
}

const isOneOfSources = (only: Pick<Source, "enrolmentId" | "cycle">[]) => sql`
  where (id, cycle) in (
    select *
    from unnest(
      ${only.map(({ enrolmentId }) => enrolmentId)}::uuid[],
      ${only.map(({ cycle }) => cycle)}::integer[]
    )
  )`;

/** How many completions of a person in a company there are. */
export async function countCompletions(db: Db, { personId, companyId }: Pick<Asked, "personId" | "companyId">) {
  const { rows } = await sql<{ count: number }>`
    select (
      (
        select count(*)
        from enrolments
        where user_id = ${personId}
          and company_id = ${companyId}
          and completed_at is not null
      ) + (
        select count(*)
        from enrolments
        join enrolment_cycles on enrolment_cycles.enrolment_id = enrolments.id
        where enrolments.user_id = ${personId}
          and enrolments.company_id = ${companyId}
      ) + (
        select count(*)
        from external_completions
        where person_id = ${personId}
          and company_id = ${companyId}
          and attempt_id is null
          and ended_at is null
      )
    )::int as count`.execute(db);
  return rows[0]?.count ?? 0;
}
