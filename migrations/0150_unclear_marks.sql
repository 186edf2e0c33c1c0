-- What learners have marked as unclear in lessons, as the states of their parts say: written by a trigger, so that
-- commits, recounts and restores keep it. `received_at`: when the server got it, which may be days after `marked_at`.
create table unclear_marks (
  attempt_id uuid not null references attempts (id) on delete cascade,
  sco text not null,
  block_id text not null,
  -- Without a foreign key, which would have commits wait for whoever has locked the course, such as an assignment.
  course_id uuid not null,
  line text not null,
  marked_at timestamptz not null,
  received_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  notified_at timestamptz,
  dealt_at timestamptz,
  dealt_by uuid references users (id) on delete set null,
  primary key (attempt_id, sco, block_id)
);
create index unclear_marks_course on unclear_marks (course_id, sco, block_id);
create index unclear_marks_new on unclear_marks (course_id) where notified_at is null;
create index unclear_marks_dealer on unclear_marks (dealt_by) where dealt_by is not null;

create function store_unclear_marks() returns trigger language plpgsql as $$
begin
  delete from unclear_marks
  where attempt_id = new.attempt_id
    and sco = new.sco
    and new.lesson -> 'unclear' -> block_id ->> 'line' is null;
  insert into unclear_marks (attempt_id, sco, block_id, course_id, line, marked_at)
  select attempts.id, new.sco, mark.key, attempts.course_id, mark.value ->> 'line', (mark.value ->> 'at')::timestamptz
  from attempts
  cross join jsonb_each(coalesce(new.lesson -> 'unclear', '{}')) mark
  where attempts.id = new.attempt_id
    and attempts.enrolment_id is not null
    and mark.value ->> 'line' is not null
    and not attempts.preview
  on conflict (attempt_id, sco, block_id) do update
  set
    line = excluded.line,
    marked_at = excluded.marked_at,
    received_at = excluded.received_at,
    dealt_at = null,
    dealt_by = null
  where (unclear_marks.line, unclear_marks.marked_at) is distinct from (excluded.line, excluded.marked_at);
  return null;
end $$;
create trigger store_unclear_marks_insert after insert on part_states for each row
  when (new.lesson ? 'unclear') execute function store_unclear_marks();
create trigger store_unclear_marks_update after update on part_states for each row
  when (old.lesson -> 'unclear' is distinct from new.lesson -> 'unclear') execute function store_unclear_marks();
