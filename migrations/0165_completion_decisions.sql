-- Completions that admins set or take back by hand (docs/decisions/0077-why-not-complete.md).
create table completion_decisions (
  id uuid primary key default gen_random_uuid(),
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  -- The attempt that was set complete, was taken back, or has been started; an undo may delete it.
  attempt_id uuid references attempts (id) on delete set null,
  company_id uuid not null,
  kind text not null check (kind in ('set', 'reopened', 'restarted')),
  reason text not null check (char_length(reason) between 3 and 300),
  made_by uuid references users (id) on delete set null,
  made_at timestamptz not null default clock_timestamp(),
  -- The enrolment and its completed attempts before it, which an undo restores.
  before jsonb not null,
  -- Since when the completion that was set no longer stands, whoever took it back.
  ended_at timestamptz,
  undone_by uuid references users (id) on delete set null,
  undone_at timestamptz
);
create index completion_decisions_enrolment on completion_decisions (enrolment_id, made_at);
create index completion_decisions_attempt on completion_decisions (attempt_id);
create index completion_decisions_made_by on completion_decisions (made_by) where made_by is not null;
create index completion_decisions_undone_by on completion_decisions (undone_by) where undone_by is not null;

-- A completion by hand ends with the completion of its attempt, whatever takes it back.
create function end_completion_decision() returns trigger language plpgsql as $$
begin
  update completion_decisions
    set ended_at = clock_timestamp()
    where attempt_id = new.id
      and kind = 'set'
      and ended_at is null;
  return null;
end $$;
create trigger end_completion_decision after update on attempts
  for each row
  when (old.completed_at is not null and new.completed_at is null and new.enrolment_id is not null)
  execute function end_completion_decision();

-- What an admin has set was not completed by the rule, and the history, from which certificates print it, says so. What
-- an undo restores (`lyceum.restores`) was completed by the rule of then.
create or replace function write_completion_history() returns trigger language plpgsql as $$
declare
  actor uuid := history_actor();
  why text := history_reason();
  course record;
  by_session uuid;
  is_set boolean;
  restored record;
begin
  select completion_rule as rule, kind into course
  from courses
  where id = new.course_id;
  select rule, rule_text into restored
  from completion_history
  where attempt_id = new.id
    and completion_no < new.completion_no
    and current_setting('lyceum.restores', true) = 'completion'
  order by completion_no desc
  limit 1;
  -- The commit statement has touched its session in this transaction, and names nobody (decision 20).
  if why is null then
    select id into by_session
    from sessions
    where attempt_id = new.id and last_seen_at = now()
    order by started_at desc
    limit 1;
    if by_session is not null then
      actor := coalesce(actor, new.user_id);
      why := 'player.commit';
    end if;
  end if;
  is_set := by_session is null and exists (
    select from completion_decisions
    where attempt_id = new.id
      and kind = 'set'
      and ended_at is null
  );
  insert into completion_history (
    enrolment_id, attempt_id, attempt_no, completion_no, person_id, company_id, course_id, version_id, session_id, rule,
    rule_text, success, score_percent, active_seconds, reported_seconds, actor_id, reason,
    first_started_at, happened_at, recorded_at
  )
  values (
    new.enrolment_id, new.id, new.no, new.completion_no, coalesce(new.user_id, gen_random_uuid()), new.company_id,
    new.course_id, new.version_id, by_session, coalesce(restored.rule, course.rule),
    case
      when restored.rule_text is not null then restored.rule_text
      when is_set then 'Set complete by an admin'
      else completion_rule_text(course.rule, course.kind)
    end,
    new.success, new.score_percent, new.active_seconds, new.reported_seconds, actor, why,
    new.started_at, new.completed_at, clock_timestamp()
  )
  on conflict (attempt_id, completion_no) do nothing;
  return null;
end $$;
