-- What was seen before there was the trigger. Not in its migration, whose lock would hold back commits meanwhile.
insert into block_views (attempt_id, sco, block_id, session_id, seq, t, recorded_at)
select
  sessions.attempt_id, event ->> 'sco', coalesce(event ->> 'key', ''), sessions.id, (event ->> 'seq')::int,
  (event ->> 't')::int, session_events.received_at
from course_versions
join attempts on attempts.version_id = course_versions.id
join sessions on sessions.attempt_id = attempts.id
join session_events on session_events.session_id = sessions.id
cross join json_array_elements(session_events.events) event
where course_versions.kind in ('lessons', 'mixed')
  and event ->> 'sco' is not null
  and (event ->> 'type' = 'block.seen' and event ->> 'key' <> '' or event ->> 'type' = 'lesson.end')
order by session_events.received_at, session_events.first_seq
on conflict do nothing;
