-- Every change of what people must hold, and of its terms, so that compliance can be shown as of any day
-- (docs/decisions/0085-audit-packs.md). Rows are states: the state at a time is the last row recorded before it.
create table requirement_history (
  id bigint generated always as identity primary key,
  -- The person is in the history of the enrolment.
  enrolment_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  -- False: no longer required of this person.
  is_required boolean not null,
  since date not null,
  completed_on date,
  valid_until date,
  opens_on date,
  opened_on date,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index requirement_history_states on requirement_history (company_id, course_id, enrolment_id, id desc)
  include (recorded_at, is_required, since, completed_on, valid_until, opens_on, opened_on);
create index requirement_history_enrolment on requirement_history (enrolment_id);
create trigger requirement_history_append_only before update or delete on requirement_history
  for each row
  execute function refuse_history_change();
create trigger requirement_history_no_truncate before truncate on requirement_history
  for each statement
  execute function refuse_history_change();

create table course_requirement_history (
  id bigint generated always as identity primary key,
  requirement_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  -- False: the company no longer requires the course.
  is_required boolean not null,
  months integer,
  counts_from text not null,
  fixed_month integer,
  fixed_day integer,
  skip_days integer not null,
  window_days integer not null,
  grace_days integer not null,
  actor_id uuid,
  reason text,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index course_requirement_history_company on course_requirement_history (company_id, course_id, id desc);
create index course_requirement_history_actor on course_requirement_history (actor_id) where actor_id is not null;
create trigger course_requirement_history_append_only before update or delete on course_requirement_history
  for each row
  execute function refuse_history_change();
create trigger course_requirement_history_no_truncate before truncate on course_requirement_history
  for each statement
  execute function refuse_history_change();

create function write_requirement_history() returns trigger language plpgsql as $$
declare
  one requirements;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  insert into requirement_history (
    enrolment_id, company_id, course_id, is_required, since, completed_on, valid_until, opens_on, opened_on, recorded_at
  )
  values (
    one.enrolment_id, one.company_id, one.course_id, tg_op <> 'DELETE', one.since, one.completed_on, one.valid_until,
    one.opens_on, one.opened_on, clock_timestamp()
  );
  return null;
end $$;
create trigger write_history_insert after insert on requirements
  for each row
  execute function write_requirement_history();
create trigger write_history_update after update on requirements
  for each row
  when (
    (old.since, old.completed_on, old.valid_until, old.opens_on, old.opened_on)
      is distinct from (new.since, new.completed_on, new.valid_until, new.opens_on, new.opened_on)
  )
  execute function write_requirement_history();
create trigger write_history_delete after delete on requirements
  for each row
  execute function write_requirement_history();

create function write_course_requirement_history() returns trigger language plpgsql as $$
declare
  one course_requirements;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  insert into course_requirement_history (
    requirement_id, company_id, course_id, is_required, months, counts_from, fixed_month, fixed_day, skip_days,
    window_days, grace_days, actor_id, reason, recorded_at
  )
  values (
    one.id, one.company_id, one.course_id, tg_op <> 'DELETE' and one.removed_at is null, one.months, one.counts_from,
    one.fixed_month, one.fixed_day, one.skip_days, one.window_days, one.grace_days, history_actor(), history_reason(),
    clock_timestamp()
  );
  return null;
end $$;
create trigger write_history_insert after insert on course_requirements
  for each row
  execute function write_course_requirement_history();
create trigger write_history_update after update on course_requirements
  for each row
  when (
    (
      old.months, old.counts_from, old.fixed_month, old.fixed_day, old.skip_days, old.window_days, old.grace_days,
      old.removed_at is null
    ) is distinct from (
      new.months, new.counts_from, new.fixed_month, new.fixed_day, new.skip_days, new.window_days, new.grace_days,
      new.removed_at is null
    )
  )
  execute function write_course_requirement_history();
create trigger write_history_delete after delete on course_requirements
  for each row
  when (old.removed_at is null)
  execute function write_course_requirement_history();

-- What stands when the history begins; requirements of people follow in 0196_seed_requirement_history.sql.
insert into course_requirement_history (
  requirement_id, company_id, course_id, is_required, months, counts_from, fixed_month, fixed_day, skip_days,
  window_days, grace_days, recorded_at, backfilled
)
select
  id, company_id, course_id, true, months, counts_from, fixed_month, fixed_day, skip_days, window_days, grace_days,
  clock_timestamp(), true
from course_requirements
where removed_at is null;
