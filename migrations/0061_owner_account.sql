-- The function that replaces an erased user in the history named its setting in its head, which only a superuser may do: neither a new
-- database nor a restored backup could be made with an ordinary account. It sets it in its body now, and puts it back.
create or replace function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity set recorded_at = date_bin(quarter, recorded_at, '2000-01-01')
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update part_history set recorded_at = date_bin(quarter, recorded_at, '2000-01-01')
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history set person_id = pseudonym, happened_at = date_bin(quarter, happened_at, '2000-01-01'),
    recorded_at = date_bin(quarter, recorded_at, '2000-01-01'), assigned_at = date_bin(quarter, assigned_at, '2000-01-01'),
    first_started_at = date_bin(quarter, first_started_at, '2000-01-01'), completed_at = date_bin(quarter, completed_at, '2000-01-01')
    where person_id = old.id;
  update membership_history set person_id = pseudonym, happened_at = date_bin(quarter, happened_at, '2000-01-01'),
    recorded_at = date_bin(quarter, recorded_at, '2000-01-01') where person_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;
