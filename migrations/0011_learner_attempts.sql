-- SCORM 2004: a visit of a part that is not suspended ends its learner attempt, and the next one begins with new run-time data.
alter table part_states
  add learner_attempt int not null default 0,
  add seconds_before real not null default 0;
