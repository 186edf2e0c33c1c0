-- outside a transaction
-- Courses that nobody has opened, by the day from which reminders count.
drop index concurrently if exists enrolments_unstarted;
create index concurrently enrolments_unstarted on enrolments (company_id, assigned_at)
  where status = 'assigned' and user_id is not null;
