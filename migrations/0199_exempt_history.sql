-- outside a transaction
-- The index of compliance as of a day, with the columns of exemptions.
drop index concurrently if exists requirement_history_held;
create index concurrently requirement_history_held
  on requirement_history (company_id, course_id, enrolment_id, id desc)
  include (
    recorded_at, is_required, since, completed_on, valid_until, opens_on, opened_on, exempt_from, exempt_until
  );
drop index concurrently if exists requirement_history_states;
