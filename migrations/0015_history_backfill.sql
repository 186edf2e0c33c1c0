-- The history of rows from before it was written, as far as their times are stored. `happened_at` is such a time; `recorded_at` is that
-- of this migration, because nothing proves what was known earlier.

insert into company_history (company_id, change, status, timezone, happened_at, recorded_at, backfilled)
select id, 'created', status, timezone, created_at, now(), true from companies order by created_at;

insert into course_history (course_id, change, status, live_version_id, happened_at, recorded_at, backfilled)
select id, 'created', status, live_version_id, created_at, now(), true from courses order by created_at;

with steps as (
  select id, company_id, role, 'created' as change, case when suspended_at is null then status else 'active' end as status, created_at as at, 1 as step from users
  union all
  select id, company_id, role, 'suspended', status, suspended_at, 2 from users where suspended_at is not null and status = 'suspended'
)
insert into membership_history (person_id, company_id, change, role, status, happened_at, recorded_at, backfilled)
select id, company_id, change, role, status, at, now(), true from steps order by at, step;

-- Assigned, started, completed, and what the enrolment is today, if that is another state. When its due date changed is not known:
-- every row has the one of today. The last row has its result.
with people as materialized (
  select id, coalesce(user_id, gen_random_uuid()) as person_id from enrolments
), latest as (
  select distinct on (enrolment_id) enrolment_id, no, version_id from attempts where not preview order by enrolment_id, no desc
), steps as (
  select id, 'assigned' as change, 'assigned' as state, assigned_at as at, 1 as step from enrolments
  union all
  select id, 'started', 'in_progress', first_started_at, 2 from enrolments where first_started_at is not null
  union all
  select id, 'completed', 'completed', completed_at, 3 from enrolments where completed_at is not null
  union all
  select id, case status when 'withdrawn' then 'withdrawn' else 'status' end, status, coalesce(last_activity_at, assigned_at), 4 from enrolments
  where status <> case when completed_at is not null then 'completed' when first_started_at is not null then 'in_progress' else 'assigned' end
), ordered as (
  select steps.*, step = max(step) over (partition by id) as is_last from steps
)
insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent,
  due_date, attempt_no, version_id, happened_at, recorded_at, backfilled)
select e.id, people.person_id, e.company_id, e.course_id, o.change, e.source, e.cycle, o.state,
  case when o.is_last then e.success else 'unknown' end, case when o.is_last then e.score_percent end, e.due_date,
  case when o.is_last then latest.no end, case when o.is_last then latest.version_id end,
  greatest(o.at, e.assigned_at), now(), true
from ordered o join enrolments e using (id) join people using (id) left join latest on latest.enrolment_id = e.id
order by e.assigned_at, e.id, o.step;
