-- Courses that the people of a company must hold, and how long a completion is valid
-- (docs/decisions/0076-requirements.md).
create table course_requirements (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  -- How long a completion is valid; null: indefinitely.
  months integer check (months between 1 and 120),
  -- What the end is counted from. `previous`: the earlier end, for a completion in the window or the grace days.
  counts_from text not null default 'completion' check (counts_from in ('completion', 'previous', 'day')),
  -- The day of the year of `day`; a month without that day has its last one.
  fixed_month integer check (fixed_month between 1 and 12),
  fixed_day integer check (fixed_day between 1 and 31),
  -- A completion fewer days before the fixed day, or in the window, is valid until the next one.
  skip_days integer not null default 0 check (skip_days between 0 and 365),
  -- The course opens again so many days before the end.
  window_days integer not null default 60 check (window_days between 0 and 365),
  grace_days integer not null default 0 check (grace_days between 0 and 365),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null,
  removed_at timestamptz,
  -- The version that has been applied to everyone, and the last enrolment to which the present version was applied.
  applied_version integer not null default 0,
  cursor uuid,
  unique (company_id, course_id),
  check ((counts_from = 'day') = (fixed_month is not null and fixed_day is not null)),
  check (counts_from <> 'day' or (months is not null and months % 12 = 0))
);
create index course_requirements_course on course_requirements (course_id);
create index course_requirements_updated_by on course_requirements (updated_by) where updated_by is not null;
create index course_requirements_waiting on course_requirements (id) where applied_version < version;

-- What one person must hold: an enrolment that is not withdrawn, in a course that their company requires. Triggers and
-- jobs maintain it. Days are those of the company's time zone.
create table requirements (
  enrolment_id uuid primary key references enrolments (id) on delete cascade,
  company_id uuid not null,
  course_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  since date not null,
  -- The latest completion, and the last day on which it is valid; without one, it is valid for good.
  completed_on date,
  valid_until date,
  -- The day on which the course opens again, and the day on which it has; null once it is completed again.
  opens_on date,
  opened_on date,
  -- The admin who opened it before its day.
  opened_by uuid references users (id) on delete set null,
  -- When the email about the opening was written.
  notified_at timestamptz
);
create index requirements_company on requirements (company_id, course_id, valid_until);
create index requirements_user on requirements (user_id, company_id);
create index requirements_opening on requirements (opens_on, enrolment_id) where opened_on is null;
create index requirements_unnotified on requirements (user_id) where opened_on is not null and notified_at is null;
create index requirements_opened_by on requirements (opened_by) where opened_by is not null;

-- The number of the first attempt of the present cycle: earlier attempts belong to cycles that were completed.
alter table enrolments add column first_attempt integer not null default 1;

-- Cycles of an enrolment that were completed before the course opened again, as the enrolment showed them.
create table enrolment_cycles (
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  cycle integer not null,
  first_attempt integer not null,
  assigned_at timestamptz not null,
  first_started_at timestamptz,
  completed_at timestamptz not null,
  due_date date,
  success text not null,
  score_percent real,
  progress real,
  parts_done integer not null,
  current_part text,
  closed_at timestamptz not null default now(),
  primary key (enrolment_id, cycle)
);

-- The first such day of the year after `after`.
create function next_fixed_day(after date, fixed_month integer, fixed_day integer) returns date language sql immutable
  return (
    select min(day)
    from (
      select least(first + fixed_day - 1, (first + interval '1 month')::date - 1) as day
      from (
        select make_date(extract(year from after)::integer + year, fixed_month, 1) as first
        from generate_series(0, 1) year
      ) months
    ) days
    where day > after
  );

-- The last day on which these completions, in their order, are valid. Null: there is no end, or no completion.
create function requirement_end(
  completed date[], months integer, counts_from text, fixed_month integer, fixed_day integer, skip_days integer,
  window_days integer, grace_days integer
) returns date language plpgsql immutable as $$
declare
  one date;
  ends date;
begin
  if months is null then return null; end if;
  foreach one in array coalesce(completed, '{}') loop
    if counts_from = 'day' then
      ends := next_fixed_day(one, fixed_month, fixed_day);
      -- A completion in the window is a renewal. Otherwise the course would open again immediately.
      if ends - one < greatest(skip_days, window_days + 1) then
        ends := next_fixed_day(ends, fixed_month, fixed_day);
      end if;
      ends := next_fixed_day(
        (ends + make_interval(months => months - 12))::date - 2, fixed_month, fixed_day
      );
    elsif counts_from = 'previous' and one between ends - window_days and ends + grace_days then
      ends := (ends + make_interval(months => months))::date;
    else
      ends := greatest(ends, (one + make_interval(months => months))::date);
    end if;
  end loop;
  return ends;
end $$;

-- The days on which an enrolment was completed, without completions that were taken back.
create function completion_days(enrolment uuid, zone text) returns date[] language sql stable
  return (
    select coalesce(array_agg((happened_at at time zone zone)::date order by happened_at, id), '{}')
    from completion_history
    where enrolment_id = enrolment
      and not exists (
        select from completion_withdrawals
        where completion_id = completion_history.id
      )
  );

-- Computes the requirement of an enrolment, if its course is or was required.
create function refresh_requirement(enrolment uuid) returns void language plpgsql as $$
declare
  one record;
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
  insert into requirements (
    enrolment_id, company_id, course_id, user_id, since, completed_on, valid_until, opens_on, opened_on, notified_at
  )
  values (
    enrolment, one.company_id, one.course_id, one.user_id, (one.assigned_at at time zone one.timezone)::date,
    days[cardinality(days)], ends, ends - asked.window_days, (reopened at time zone one.timezone)::date, reopened
  )
  on conflict (enrolment_id) do update
  set completed_on = excluded.completed_on,
    valid_until = excluded.valid_until,
    opens_on = excluded.opens_on,
    opened_on = case when one.status <> 'completed' then requirements.opened_on end,
    opened_by = case when one.status <> 'completed' then requirements.opened_by end,
    notified_at = case when one.status <> 'completed' then requirements.notified_at end;
end $$;

create function follow_new_requirements() returns trigger language plpgsql as $$
begin
  perform refresh_requirement(added.id)
  from added
  join course_requirements using (company_id, course_id);
  return null;
end $$;
create trigger follow_new_requirements after insert on enrolments
  referencing new table as added
  for each statement
  execute function follow_new_requirements();

create function follow_requirement() returns trigger language plpgsql as $$
begin
  perform refresh_requirement(new.id);
  return null;
end $$;
create trigger follow_requirement after update on enrolments
  for each row
  when (old.status <> new.status or (old.user_id is not null and new.user_id is null))
  execute function follow_requirement();

create function follow_completion_for_requirements() returns trigger language plpgsql as $$
begin
  perform refresh_requirement(new.enrolment_id);
  return null;
end $$;
create trigger follow_completion_for_requirements after insert on completion_history
  for each row
  execute function follow_completion_for_requirements();

create function follow_completion_withdrawal() returns trigger language plpgsql as $$
begin
  perform refresh_requirement(enrolment_id)
  from completion_history
  where id = new.completion_id;
  return null;
end $$;
create trigger follow_completion_withdrawal after insert on completion_withdrawals
  for each row
  execute function follow_completion_withdrawal();

-- Days are those of the company's zone: with another zone they are computed again.
create function follow_zone_for_requirements() returns trigger language plpgsql as $$
begin
  update course_requirements
  set applied_version = 0,
    cursor = null
  where company_id = new.id;
  return null;
end $$;
create trigger follow_zone_for_requirements after update on companies
  for each row
  when (old.timezone <> new.timezone)
  execute function follow_zone_for_requirements();
