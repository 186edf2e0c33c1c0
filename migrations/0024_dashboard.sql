-- The dashboard: who fell due in a period, and when an admin reminded somebody who is overdue.

alter table enrolments add column reminded_at timestamptz;
-- Of completed assignments only those that fell due in the period are read.
create index enrolments_due_completed on enrolments (due_date) include (company_id, completed_at)
  where due_date is not null and status = 'completed';
