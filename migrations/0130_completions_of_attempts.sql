-- outside a transaction
-- Several completions of an attempt, and the learners of a course from one id to the next. Dropped first: a build that
-- was interrupted leaves an invalid index.
drop index concurrently if exists completion_history_completion;
create unique index concurrently completion_history_completion on completion_history (attempt_id, completion_no);

drop index concurrently if exists enrolments_of_course;
create index concurrently enrolments_of_course on enrolments (course_id, id);
