-- Reports on one learner are issued too. The learner stands outside of filters, figures and digest, so that an erasure can replace the
-- person without changing what was issued.
alter table issued_reports
  add column person_id uuid,
  drop constraint issued_reports_kind_check,
  add constraint issued_reports_kind_check check (kind in ('company', 'course', 'learner')),
  add constraint issued_reports_person_check check ((kind = 'learner') = (person_id is not null));
create index issued_reports_person on issued_reports (person_id, issued_at desc) where person_id is not null;

-- A user who goes: their issued reports keep the same number as their history. Views of their report lead nowhere and may name them.
create or replace function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
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
  return null;
end $$;
