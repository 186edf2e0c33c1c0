-- SCORM 2004: a visit of a part that is not suspended ends its learner attempt, and the next one begins with new run-time data.
alter table part_states
  add learner_attempt int not null default 0,
  add seconds_before real not null default 0;

-- Earlier versions handed run-time data back after every Terminate, and did not store why a visit ended. Visits that are under way
-- count as suspended, so that nobody loses a bookmark with the upgrade.
update part_states set terminated = false
from attempts join course_versions on course_versions.id = attempts.version_id
where attempts.id = part_states.attempt_id and course_versions.kind = 'scorm2004' and part_states.completion <> 'completed'
  and coalesce(part_states.cmi ->> 'cmi.exit', '') = '';

-- A web page showed a progress of 100 when it was opened, although it was not complete.
update attempts set progress = 99 where completion = 'incomplete' and progress >= 100;
update enrolments set progress = 99 where status in ('in_progress', 'failed') and completed_at is null and progress >= 100;
