-- Reports read the states of all enrolments of a course, or of a company course by course, from one index, sorted as they are needed. It replaces
-- two, so a row of history costs no more than before. Before version 18, PostgreSQL cannot skip from course to course: it finds the rows of a company
-- by enrolment_history_company.
create index enrolment_history_states on enrolment_history (course_id, company_id, enrolment_id, id desc)
  include (person_id, recorded_at, change, status, success, score_percent, due_date, attempt_no, assigned_at, first_started_at, completed_at);
drop index enrolment_history_course;
drop index enrolment_history_of_company;

create index part_history_states on part_history (enrolment_id, attempt_no, position, id desc) include (state, recorded_at);
drop index part_history_enrolment;

-- Without a visit by vacuum, every row of an index is looked up in its table: rows that are only appended would wait for it until they are a fifth.
alter table enrolment_history set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table part_history set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- The active time of a session that has ended, so that an index can have it: `active_ms` changes with every commit, and updates would not be HOT any
-- more if it was in an index. A session that goes on has none.
alter table sessions add column ended_ms bigint generated always as (case when ended_at is not null then active_ms end) stored;
drop index sessions_started;
create index sessions_started on sessions (started_at desc) include (user_id, company_id, attempt_id, ended_ms);
-- What was started in a period by course and state, without reading the enrolments.
drop index enrolments_started;
create index enrolments_started on enrolments (first_started_at) include (company_id, course_id, status) where first_started_at is not null;
