import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { IssueRow } from "#server/reports/issueRow.ts";
import type { User } from "#shared/core/users.ts";

// What goes wrong in courses, for the dashboard

type Reader = Pick<Ctx<User>, "db" | "user">;

/** Published courses with learners under way that nobody has ever completed or failed. */
export const findNeverCompleted = ({ db, user }: Reader) => {
  const startedBefore = sql`enrolments.first_started_at < now() - interval '1 day'`;
  const isInScope = inScope(user, { company: "enrolments.companyId" });
  return sql<IssueRow>`
    select courses.title, '/courses/' || courses.id as link, open.count
    from courses
    cross join lateral (
      select count(*)::int as count
      from enrolments
      where enrolments.course_id = courses.id
        and enrolments.status = 'in_progress'
        and ${startedBefore}
        and ${isInScope}
    ) open
    where courses.status = 'published'
      and open.count >= 5
      and not exists (
        select
        from enrolments
        where enrolments.course_id = courses.id
          and enrolments.status in ('completed', 'failed')
          and ${startedBefore}
          and ${isInScope}
      )
    limit 3`.execute(db);
};

const startedLately = sql`first_started_at between now() - interval '60 days' and now() - interval '14 days'`;
const isMany = (count: RawBuilder<unknown>) => sql`(${count} >= 10 and ${count} >= started * 0.4)`;

/**
 * Parts at which many of those who started two weeks to two months ago stopped: they have done nothing since they
 * opened them. Only courses with as many open enrolments are looked at.
 */
export const findDropOffs = ({ db, user }: Reader) => {
  const isInScope = inScope(user, { company: "enrolments.companyId" });
  return sql<IssueRow>`
    with started as materialized (
      select
        course_id,
        count(*)::int as started,
        count(*) filter (where status = 'in_progress') as open
      from enrolments
      where ${startedLately}
        and status <> 'withdrawn'
        and ${isInScope}
      group by course_id
    )
    select
      courses.title,
      '/reports/course/' || courses.id as link,
      part->>'title' as part,
      stopped.count,
      stopped.started
    from (
      select started.course_id, started.started, current_part, count(*)::int as count
      from started
      join enrolments on enrolments.course_id = started.course_id and enrolments.status = 'in_progress'
      where ${isMany(sql`started.open`)}
        and ${startedLately}
        and last_activity_at < now() - interval '14 days'
        and ${isInScope}
      group by 1, 2, 3
    ) stopped
    join courses on courses.id = stopped.course_id
    join course_versions version on version.id = courses.live_version_id
    cross join lateral jsonb_array_elements(version.parts) part
    where ${isMany(sql`stopped.count`)}
      and courses.status = 'published'
      and part->>'sco' = stopped.current_part
      and jsonb_array_length(version.parts) > 1
    order by stopped.count desc
    limit 2`.execute(db);
};

/** Drafts with warnings from the import of their package. */
export const findPackageWarnings = ({ db }: Reader) =>
  sql<IssueRow>`
    select
      courses.title,
      '/courses/' || courses.id as link,
      jsonb_array_length(version.warnings) as count,
      version.warnings->0->>'sentence' as first
    from courses
    join course_versions version on version.id = courses.live_version_id
    where courses.status = 'draft'
      and jsonb_array_length(version.warnings) > 0
    order by version.created_at desc
    limit 3`.execute(db);

/** Learners whose progress could not be saved several times in the last three days. */
export const findSaveTrouble = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select
      users.name as title,
      '/learners/report/' || users.id as link,
      sum(sessions.failed_commits)::int as count,
      max(courses.title) as course
    from sessions
    join attempts on attempts.id = sessions.attempt_id and not preview
    join users on users.id = sessions.user_id
    join courses on courses.id = attempts.course_id
    where sessions.started_at > now() - interval '3 days'
      and sessions.failed_commits >= 3
      and ${inScope(user, { company: "sessions.companyId" })}
    group by users.id
    order by count desc
    limit 3`.execute(db);
