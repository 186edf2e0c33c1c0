-- 0115 and 0117 each replaced the function that gives an erased person one number in the history, so that only the
-- tables of the latter were left. This one has those of both, and makes up for erasures in between.
create or replace function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
  epoch timestamptz := '2000-01-01';
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update part_history
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch),
      assigned_at = date_bin(quarter, assigned_at, epoch),
      first_started_at = date_bin(quarter, first_started_at, epoch),
      completed_at = date_bin(quarter, completed_at, epoch)
    where person_id = old.id;
  update membership_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update completion_history
    set person_id = pseudonym,
      first_started_at = date_bin(quarter, first_started_at, epoch),
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update reminder_log
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update group_members
    set until = date_bin(quarter, coalesce(until, clock_timestamp()), epoch),
      since = date_bin(quarter, since, epoch),
      person_id = pseudonym
    where person_id = old.id;
  update manager_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update manager_history set manager_id = pseudonym where manager_id = old.id;
  update manager_history set actor_id = pseudonym where actor_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  update completion_history set actor_id = pseudonym where actor_id = old.id;
  update completion_rule_history set actor_id = pseudonym where actor_id = old.id;
  update reminder_log set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;

-- People who were erased between the two are in no other table of history under their id any more.
do $$
declare
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  with gone as materialized (
    select person_id, gen_random_uuid() as pseudonym
    from (
      select distinct person_id
      from group_members
      where not exists (select from users where users.id = group_members.person_id)
        and not exists (select from membership_history where membership_history.person_id = group_members.person_id)
    ) people
  )
  update group_members
  set until = date_bin('15 minutes', coalesce(until, clock_timestamp()), '2000-01-01'),
    since = date_bin('15 minutes', since, '2000-01-01'),
    person_id = gone.pseudonym
  from gone
  where group_members.person_id = gone.person_id;
  perform set_config('lyceum.rewrite', before, true);
end $$;
