-- Completion rules with several conditions, changed after a recount, and completions that are taken back
-- (docs/decisions/0066-completion-rules.md).

-- Who was completed by their own confirmation has confirmed.
update attempts
set confirmed = true
from courses
where courses.id = attempts.course_id
  and courses.completion_rule ->> 'kind' = 'confirmed'
  and attempts.completion = 'complete';

-- The text of a test from shared/locales/en/courses.json (`courses.rule.clause`) and conditions.json (`variable`) when
-- it was created (test/completionHistory.test.ts).
create function completion_test_text(test jsonb, kind text) returns text language sql immutable
  return case test ->> 'kind'
    when 'reported' then
      case when kind in ('lessons', 'mixed') then 'every lesson is completed' else 'every part is completed or passed' end
    when 'passed' then
      case when kind in ('lessons', 'mixed') then 'every graded lesson is passed' else 'the package reports “passed”' end
    when 'score' then 'the score is ' || (test ->> 'percent') || ' % or more'
    when 'opened' then
      case when kind in ('lessons', 'mixed') then 'every lesson was opened' else 'every part was opened' end
    when 'confirmed' then 'the learner has marked the course as complete'
    when 'part' then
      '“' || (test ->> 'title') || '” is ' || case test ->> 'is' when 'passed' then 'passed' else 'completed' end
    when 'partScore' then '“' || (test ->> 'title') || '” has ' || (test ->> 'percent') || ' % or more'
    when 'time' then 'active time is ' || (test ->> 'minutes') || ' min or more'
    when 'variable' then (test ->> 'key') || case test ->> 'is'
      when 'equal' then ' is ' || (test ->> 'value')
      when 'notEqual' then ' is not ' || (test ->> 'value')
      when 'more' then ' is more than ' || (test ->> 'value')
      when 'atLeast' then ' is at least ' || (test ->> 'value')
      when 'less' then ' is less than ' || (test ->> 'value')
      when 'atMost' then ' is at most ' || (test ->> 'value')
      when 'contains' then ' contains “' || (test ->> 'value') || '”'
      when 'set' then ' is set'
      else ' is not set' end
    else test::text end;

create function completion_group_text(tests jsonb, match text, kind text) returns text language sql immutable
  return (
    select string_agg(
      case when test ? 'tests' then '(' || (
        select string_agg(
          completion_test_text(inner_test, kind),
          case test ->> 'match' when 'any' then ' or ' else ' and ' end
          order by inner_at
        )
        from jsonb_array_elements(test -> 'tests') with ordinality as inner_tests (inner_test, inner_at)
      ) || ')' else completion_test_text(test, kind) end,
      case match when 'any' then ' or ' else ' and ' end
      order by at
    )
    from jsonb_array_elements(tests) with ordinality as listed (test, at)
  );

-- The text of a rule: of one test as it was before (`courses.rule`), of several joined by “and” and “or”.
create function completion_rule_text(rule jsonb, kind text) returns text language sql immutable
  return case
    when rule ? 'tests' then (
      select upper(left(words, 1)) || substr(words, 2)
      from completion_group_text(rule -> 'tests', rule ->> 'match', kind) as words
    )
    when rule ->> 'kind' = 'score' then 'Score of ' || (rule ->> 'percent') || ' % or more'
    when rule ->> 'kind' = 'confirmed' then 'The learner selects “Mark as complete” in the player.'
    when kind in ('lessons', 'mixed') then case rule ->> 'kind'
      when 'reported' then
        'The learner has reached the end of every lesson and done everything that is required in it.'
      when 'passed' then 'Every lesson is completed, and every lesson with graded questions is passed.'
      when 'opened' then 'The learner has opened every lesson at least once.'
      else upper(left(completion_test_text(rule, kind), 1)) || substr(completion_test_text(rule, kind), 2) end
    else case rule ->> 'kind'
      when 'reported' then 'The package reports every part as completed or passed.'
      when 'passed' then 'The package reports “passed”. “Completed” alone is not enough.'
      when 'opened' then 'The learner has opened every part at least once. For packages that report nothing.'
      else upper(left(completion_test_text(rule, kind), 1)) || substr(completion_test_text(rule, kind), 2) end
  end;

create or replace function write_completion_rule_history() returns trigger language plpgsql as $$
begin
  insert into completion_rule_history (course_id, rule, rule_text, actor_id, reason, happened_at, recorded_at)
  values (new.id, new.completion_rule, completion_rule_text(new.completion_rule, new.kind), history_actor(),
    history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $$;

-- An attempt whose completion was taken back can be completed again (0130_completions_of_attempts.sql).
drop index completion_history_attempt;

create or replace function write_completion_history() returns trigger language plpgsql as $$
declare
  actor uuid := history_actor();
  why text := history_reason();
  course record;
  by_session uuid;
begin
  select completion_rule as rule, kind into course
  from courses
  where id = new.course_id;
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
    enrolment_id, attempt_id, attempt_no, completion_no, person_id, company_id, course_id, version_id, session_id, rule,
    rule_text, success, score_percent, active_seconds, reported_seconds, actor_id, reason,
    first_started_at, happened_at, recorded_at
  )
  values (
    new.enrolment_id, new.id, new.no, new.completion_no, coalesce(new.user_id, gen_random_uuid()), new.company_id,
    new.course_id, new.version_id, by_session, course.rule, completion_rule_text(course.rule, course.kind),
    new.success, new.score_percent, new.active_seconds, new.reported_seconds, actor, why,
    new.started_at, new.completed_at, clock_timestamp()
  )
  on conflict (attempt_id, completion_no) do nothing;
  return null;
end $$;

-- Completions that were taken back, append-only like them.
create table completion_withdrawals (
  completion_id bigint primary key,
  actor_id uuid,
  reason text,
  recorded_at timestamptz not null default clock_timestamp()
);
create index completion_withdrawals_actor on completion_withdrawals (actor_id) where actor_id is not null;
create trigger completion_withdrawals_append_only before update or delete on completion_withdrawals
  for each row
  execute function refuse_history_change();
create trigger completion_withdrawals_no_truncate before truncate on completion_withdrawals
  for each statement
  execute function refuse_history_change();

create function write_completion_withdrawal() returns trigger language plpgsql as $$
begin
  insert into completion_withdrawals (completion_id, actor_id, reason)
  select id, history_actor(), history_reason()
  from completion_history
  where attempt_id = new.id
    and completion_no = old.completion_no
  on conflict do nothing;
  return null;
end $$;
create trigger write_completion_withdrawal after update on attempts
  for each row
  when (old.completed_at is not null and new.completed_at is null and new.enrolment_id is not null and not new.preview)
  execute function write_completion_withdrawal();

-- A rule that an admin tries, recounts and applies. Kept until its undo is over.
create table rule_changes (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references courses (id) on delete cascade,
  rule jsonb not null,
  rule_before jsonb not null,
  -- The version of the course that the rule was written for.
  course_version integer not null,
  made_by uuid references users (id) on delete set null,
  made_at timestamptz not null default now(),
  state text not null check (state in ('counting', 'counted', 'applying', 'applied', 'undoing', 'undone')),
  -- Of learners who are complete and would not be: whether they stay so.
  keeps boolean not null default true,
  -- The last enrolment of a pass over all of them.
  cursor uuid,
  total integer not null default 0,
  counted integer not null default 0,
  events bigint not null default 0,
  complete_before integer not null default 0,
  -- Without all their events, as after a deletion: they stay as they are.
  uncounted integer not null default 0,
  becomes integer not null default 0,
  ends integer not null default 0,
  -- Enrolments that meet each test of the rule, in its order.
  met integer[] not null default '{}',
  applied_at timestamptz,
  turn_at timestamptz not null default now(),
  leased_until timestamptz,
  failures integer not null default 0
);
create index rule_changes_course on rule_changes (course_id, made_at);
create index rule_changes_made_by on rule_changes (made_by) where made_by is not null;
create index rule_changes_waiting on rule_changes (turn_at) where state in ('counting', 'applying', 'undoing');

-- Whose completion changes by a rule. `tests` has for each test of the rule whether it is met, and its value.
create table rule_change_rows (
  change_id uuid not null references rule_changes (id) on delete cascade,
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  attempt_id uuid not null references attempts (id) on delete cascade,
  change text not null check (change in ('becomes', 'ends')),
  happened_at timestamptz,
  tests jsonb not null,
  applied boolean not null default false,
  -- What an undo restores: the completed attempts with their times, as `[{ "id": …, "at": … }]`.
  completed_before jsonb not null default '[]',
  primary key (change_id, enrolment_id)
);
create index rule_change_rows_enrolment on rule_change_rows (enrolment_id);
create index rule_change_rows_attempt on rule_change_rows (attempt_id);

-- A user who goes is replaced in the new table by the same number as in the others.
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
  update group_members
    set until = date_bin(quarter, coalesce(until, clock_timestamp()), epoch),
      since = date_bin(quarter, since, epoch),
      person_id = pseudonym
    where person_id = old.id;
  update manager_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update manager_history set manager_id = pseudonym where manager_id = old.id;
  update manager_history set actor_id = pseudonym where actor_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  update completion_history set actor_id = pseudonym where actor_id = old.id;
  update completion_rule_history set actor_id = pseudonym where actor_id = old.id;
  update completion_withdrawals set actor_id = pseudonym where actor_id = old.id;
  update reminder_log set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;
