-- A completion that is taken back in a renewal leaves the course open since the day on which it opened again, and no
-- second email about that is written.
create or replace function refresh_requirement(enrolment uuid) returns void language plpgsql as $$
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
    opened_on = case when one.status <> 'completed' then coalesce(requirements.opened_on, excluded.opened_on) end,
    opened_by = case when one.status <> 'completed' then requirements.opened_by end,
    notified_at = case
      when one.status = 'completed' then null
      when requirements.opened_on is null then excluded.notified_at
      else requirements.notified_at
    end;
end $$;
