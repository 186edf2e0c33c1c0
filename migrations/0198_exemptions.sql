-- People who need not hold a required course for a time (docs/decisions/0092-exemptions.md).
create table requirement_exemptions (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  person_id uuid not null references users (id) on delete cascade,
  -- The first and the last day, in the zone of the company.
  from_day date not null,
  until_day date not null,
  -- A course that is not complete is not due before this day.
  due_day date not null,
  ground text not null check (ground in ('absence', 'health', 'role', 'equivalent', 'other')),
  note text not null default '' check (length(note) <= 1000),
  -- The due date that `due_day` replaced, if it replaced one.
  replaced_due_date date,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  -- Ended before its last day: from this day of the zone on.
  ended_at timestamptz,
  ended_by uuid references users (id) on delete set null,
  check (until_day >= from_day),
  check (due_day > until_day)
);
create index requirement_exemptions_person on requirement_exemptions (person_id, company_id, course_id);
create index requirement_exemptions_company on requirement_exemptions (company_id, course_id, until_day);
create index requirement_exemptions_course on requirement_exemptions (course_id);
create index requirement_exemptions_created_by on requirement_exemptions (created_by) where created_by is not null;
create index requirement_exemptions_ended_by on requirement_exemptions (ended_by) where ended_by is not null;

-- The latest exemption: its days, and the day before which the course is not due.
alter table requirements
  add column exempt_from date,
  add column exempt_until date,
  add column exempt_due date;
alter table requirement_history
  add column exempt_from date,
  add column exempt_until date;

-- Computes the requirement of an enrolment, if its course is or was required.
create or replace function refresh_requirement(enrolment uuid) returns void language plpgsql as $$
declare
  one record;
  exempt record;
  asked course_requirements;
  days date[];
  ends date;
  -- When the present cycle began, unless it is the first.
  reopened timestamptz;
begin
  if not exists (
    select from enrolments
    join course_requirements using (company_id, course_id)
    where enrolments.id = enrolment
  ) then return;
  end if;
  select enrolments.company_id, course_id, user_id, enrolments.status, assigned_at, timezone into one
  from enrolments
  join companies on companies.id = enrolments.company_id
  where enrolments.id = enrolment
  -- Waits for a completion that is being stored. Commits lock in the same order.
  for no key update of enrolments;
  select * into asked
  from course_requirements
  where company_id = one.company_id
    and course_id = one.course_id
    and removed_at is null;
  if one.user_id is null or one.status = 'withdrawn' or asked.id is null then
    delete from requirements where enrolment_id = enrolment;
    return;
  end if;
  days := completion_days(enrolment, one.timezone);
  ends := requirement_end(
    days, asked.months, asked.counts_from, asked.fixed_month, asked.fixed_day, asked.skip_days, asked.window_days,
    asked.grace_days
  );
  if one.status <> 'completed' then
    select max(closed_at) into reopened from enrolment_cycles where enrolment_id = enrolment;
  end if;
  select from_day, last_day, due_day into exempt
  from (
    select from_day, due_day, least(until_day, (ended_at at time zone one.timezone)::date - 1) as last_day
    from requirement_exemptions
    where person_id = one.user_id
      and company_id = one.company_id
      and course_id = one.course_id
  ) exemptions
  where last_day >= from_day
  order by last_day desc
  limit 1;
  insert into requirements (
    enrolment_id, company_id, course_id, user_id, since, completed_on, valid_until, opens_on, opened_on, notified_at,
    exempt_from, exempt_until, exempt_due
  )
  values (
    enrolment, one.company_id, one.course_id, one.user_id, (one.assigned_at at time zone one.timezone)::date,
    days[cardinality(days)], ends, ends - asked.window_days, (reopened at time zone one.timezone)::date, reopened,
    exempt.from_day, exempt.last_day, exempt.due_day
  )
  on conflict (enrolment_id) do update
  set completed_on = excluded.completed_on,
    valid_until = excluded.valid_until,
    opens_on = excluded.opens_on,
    opened_on = case when one.status <> 'completed' then coalesce(requirements.opened_on, excluded.opened_on) end,
    opened_by = case when one.status <> 'completed' then requirements.opened_by end,
    notified_at = case
      when one.status = 'completed' then null
      when requirements.opened_on is null then excluded.notified_at
      else requirements.notified_at
    end,
    exempt_from = excluded.exempt_from,
    exempt_until = excluded.exempt_until,
    exempt_due = excluded.exempt_due;
end $$;

create function follow_exemption() returns trigger language plpgsql as $$
begin
  perform refresh_requirement(id)
  from enrolments
  where user_id = new.person_id
    and company_id = new.company_id
    and course_id = new.course_id;
  return null;
end $$;
create trigger follow_exemption after insert or update on requirement_exemptions
  for each row
  execute function follow_exemption();

create or replace function write_requirement_history() returns trigger language plpgsql as $$
declare
  one requirements;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  insert into requirement_history (
    enrolment_id, company_id, course_id, is_required, since, completed_on, valid_until, opens_on, opened_on,
    exempt_from, exempt_until, recorded_at
  )
  values (
    one.enrolment_id, one.company_id, one.course_id, tg_op <> 'DELETE', one.since, one.completed_on, one.valid_until,
    one.opens_on, one.opened_on, one.exempt_from, one.exempt_until, clock_timestamp()
  );
  return null;
end $$;
drop trigger write_history_update on requirements;
create trigger write_history_update after update on requirements
  for each row
  when (
    (
      old.since, old.completed_on, old.valid_until, old.opens_on, old.opened_on, old.exempt_from, old.exempt_until
    ) is distinct from (
      new.since, new.completed_on, new.valid_until, new.opens_on, new.opened_on, new.exempt_from, new.exempt_until
    )
  )
  execute function write_requirement_history();
