-- What counted as complete, and what was completed: append-only, like the rest of the history
-- (docs/decisions/0020-history.md). The text is stored with the rule, because texts change, and what has to be proved
-- later must not.

-- The text of a rule from shared/locales/en/courses.json (`courses.rule`) when it was created
-- (test/completionHistory.test.ts).
create function completion_rule_text(rule jsonb) returns text language sql immutable
  return case rule ->> 'kind'
    when 'reported' then 'The package reports every part as completed or passed.'
    when 'passed' then 'The package reports “passed”. “Completed” alone is not enough.'
    when 'score' then 'Score of ' || (rule ->> 'percent') || ' % or more'
    when 'opened' then 'The learner has opened every part at least once. For packages that report nothing.'
    when 'confirmed' then 'The learner selects “Mark as complete” in the player.'
    else rule::text end;

create table completion_rule_history (
  id bigint generated always as identity primary key,
  course_id uuid not null,
  rule jsonb not null,
  rule_text text not null,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  -- The rule that applied when the history began; who chose it is not known.
  backfilled boolean not null default false
);
create index completion_rule_history_course on completion_rule_history (course_id, id);
create index completion_rule_history_actor on completion_rule_history (actor_id) where actor_id is not null;

create table completion_history (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null,
  attempt_id uuid not null,
  attempt_no integer not null,
  -- The learner; after an erasure a random number, as in enrolment_history.
  person_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  version_id uuid not null,
  -- The session whose commit completed the attempt; null if no session did.
  session_id uuid,
  -- The rule that was met; null if it is no longer known.
  rule jsonb,
  rule_text text,
  success text not null check (success in ('unknown', 'passed', 'failed')),
  score_percent real,
  active_seconds integer not null,
  reported_seconds integer not null,
  actor_id uuid,
  reason text,
  first_started_at timestamptz not null,
  -- When the learner did it, on the clock of the server; earlier than recorded_at if the browser was offline.
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index completion_history_enrolment on completion_history (enrolment_id, id);
create unique index completion_history_attempt on completion_history (attempt_id);
create index completion_history_person on completion_history (person_id);
create index completion_history_course on completion_history (course_id, company_id);
create index completion_history_actor on completion_history (actor_id) where actor_id is not null;

create function write_completion_rule_history() returns trigger language plpgsql as $$
begin
  insert into completion_rule_history (course_id, rule, rule_text, actor_id, reason, happened_at, recorded_at)
  values (new.id, new.completion_rule, completion_rule_text(new.completion_rule), history_actor(), history_reason(),
    coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $$;
create trigger write_rule_history_insert after insert on courses
  for each row
  execute function write_completion_rule_history();
create trigger write_rule_history_update after update on courses
  for each row
  when (old.completion_rule is distinct from new.completion_rule)
  execute function write_completion_rule_history();

create function write_completion_history() returns trigger language plpgsql as $$
declare
  actor uuid := history_actor();
  why text := history_reason();
  met jsonb := (select completion_rule from courses where id = new.course_id);
  by_session uuid;
begin
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
  insert into completion_history (
    enrolment_id, attempt_id, attempt_no, person_id, company_id, course_id, version_id, session_id, rule, rule_text,
    success, score_percent, active_seconds, reported_seconds, actor_id, reason,
    first_started_at, happened_at, recorded_at
  )
  values (
    new.enrolment_id, new.id, new.no, coalesce(new.user_id, gen_random_uuid()), new.company_id, new.course_id,
    new.version_id, by_session, met, completion_rule_text(met),
    new.success, new.score_percent, new.active_seconds, new.reported_seconds, actor, why,
    new.started_at, new.completed_at, clock_timestamp()
  )
  on conflict (attempt_id) do nothing;
  return null;
end $$;
create trigger write_completion_insert after insert on attempts
  for each row
  when (new.completed_at is not null and new.enrolment_id is not null and not new.preview)
  execute function write_completion_history();
create trigger write_completion_update after update on attempts
  for each row
  when (old.completed_at is null and new.completed_at is not null and new.enrolment_id is not null and not new.preview)
  execute function write_completion_history();

-- One log of the reminders of courses: who was sent what, when, and who had it sent. Mails are deleted after a while;
-- this log stays.
create table reminder_log (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null,
  person_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  -- Why it was sent; later rules add theirs.
  step text not null check (step in ('overdue')),
  due_date date,
  mail_id uuid,
  -- Whether there was a mail server to send it.
  was_queued boolean,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  backfilled boolean not null default false
);
create index reminder_log_enrolment on reminder_log (enrolment_id, id);
create index reminder_log_person on reminder_log (person_id);
create index reminder_log_course on reminder_log (course_id, company_id);
create index reminder_log_actor on reminder_log (actor_id) where actor_id is not null;

do $$ declare name text; begin
  foreach name in array array['completion_rule_history', 'completion_history', 'reminder_log'] loop
    execute format(
      'create trigger %I before update or delete on %I for each row execute function refuse_history_change()',
      name || '_append_only', name
    );
    execute format(
      'create trigger %I before truncate on %I for each statement execute function refuse_history_change()',
      name || '_no_truncate', name
    );
  end loop;
end $$;

-- A user who goes is replaced in the new tables by the same number as in the others.
create or replace function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
  epoch timestamptz := '2000-01-01';
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update part_history
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch),
      assigned_at = date_bin(quarter, assigned_at, epoch),
      first_started_at = date_bin(quarter, first_started_at, epoch),
      completed_at = date_bin(quarter, completed_at, epoch)
    where person_id = old.id;
  update membership_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update completion_history
    set person_id = pseudonym,
      first_started_at = date_bin(quarter, first_started_at, epoch),
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update reminder_log
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  update completion_history set actor_id = pseudonym where actor_id = old.id;
  update completion_rule_history set actor_id = pseudonym where actor_id = old.id;
  update reminder_log set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;
