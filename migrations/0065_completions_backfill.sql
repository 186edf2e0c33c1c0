-- Fills the new history with what is still known. It reads large tables and locks none: the triggers of 0064 are
-- already active.

insert into completion_rule_history (course_id, rule, rule_text, happened_at, recorded_at, backfilled)
select c.id, c.completion_rule, completion_rule_text(c.completion_rule), c.created_at, clock_timestamp(), true
from courses c
where not exists (select from completion_rule_history h where h.course_id = c.id);

-- The rule is known if it has not changed since the attempt was completed.
-- A user who is erased meanwhile must not come back: the users are locked against it, and who is gone gets a number.
with people as materialized (
  select id from users for key share
)
insert into completion_history (
  enrolment_id, attempt_id, attempt_no, person_id, company_id, course_id, version_id, rule, rule_text,
  success, score_percent, active_seconds, reported_seconds, first_started_at, happened_at, recorded_at, backfilled
)
select
  a.enrolment_id, a.id, a.no, coalesce(u.id, p.person_id, gen_random_uuid()), a.company_id, a.course_id,
  a.version_id,
  case when r.is_known then c.completion_rule end,
  case when r.is_known then completion_rule_text(c.completion_rule) end,
  a.success, a.score_percent, a.active_seconds, a.reported_seconds, a.started_at, a.completed_at,
  clock_timestamp(), true
from attempts a
join courses c on c.id = a.course_id
left join people u on u.id = a.user_id
left join lateral (
  select person_id from enrolment_history where enrolment_id = a.enrolment_id order by id desc limit 1
) p on a.user_id is null
cross join lateral (
  select not exists (
    select
    from course_history h
    where h.course_id = a.course_id and h.change = 'rule' and h.recorded_at > a.completed_at
  ) as is_known
) r
where a.completed_at is not null and a.enrolment_id is not null and not a.preview
on conflict (attempt_id) do nothing;

-- Of the earlier reminders, only the last one of each enrolment is known.
with people as materialized (
  select id from users for key share
)
insert into reminder_log (enrolment_id, person_id, company_id, course_id, step, due_date, happened_at, backfilled)
select e.id, u.id, e.company_id, e.course_id, 'overdue', e.due_date, e.reminded_at, true
from enrolments e
join people u on u.id = e.user_id
where e.reminded_at is not null;
