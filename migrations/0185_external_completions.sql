-- Completions from before a company came here, or from elsewhere, as a file names them
create table external_completions (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  person_id uuid not null references users (id) on delete cascade,
  -- Null if the course is none of this platform.
  course_id uuid references courses (id) on delete set null,
  -- The course as the file names it.
  title text not null,
  completed_on date not null,
  score_percent real check (score_percent between 0 and 100),
  -- What proves it: a number, a place, a provider.
  reference text not null default '',
  file_name text not null,
  import_id uuid references people_imports (id) on delete set null,
  row_number integer not null,
  -- The attempt that it completed; null if it only is history.
  attempt_id uuid references attempts (id) on delete set null,
  -- What the enrolment was before, to undo the import; null if it only is history.
  before jsonb,
  -- When that attempt was reopened.
  ended_at timestamptz,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now()
);
create unique index external_completions_once on external_completions (
  person_id, company_id, completed_on, coalesce(course_id::text, lower(title))
);
create index external_completions_company on external_completions (company_id);
create index external_completions_course on external_completions (course_id);
create index external_completions_import on external_completions (import_id, row_number);
create index external_completions_attempt on external_completions (attempt_id);
create index external_completions_created_by on external_completions (created_by) where created_by is not null;

alter table people_imports
  -- What the rows are about: people, or courses that people have completed.
  add column about text not null default 'people' check (about in ('people', 'completions')),
  -- How 03/04/2026 is read; `iso`: not at all.
  add column dates text not null default 'iso' check (dates in ('iso', 'dayFirst', 'monthFirst')),
  -- Completions of courses that are not here are kept by their title.
  add column keeps_unknown boolean not null default false;
alter table people_import_rows
  -- Of a row about a completion: the person, the course and the day; null if one of them was not found.
  add column completion_key text;

-- `backfilled`: what follows from completions, such as certificates, does not follow from those made elsewhere.
create or replace function write_completion_history()
 returns trigger
 language plpgsql
as $function$
declare
  actor uuid := history_actor();
  why text := history_reason();
  course record;
  by_session uuid;
  is_set boolean;
  is_external boolean := exists (
    select from external_completions
    where attempt_id = new.id
      and ended_at is null
  );
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
    first_started_at, happened_at, recorded_at, backfilled
  )
  values (
    new.enrolment_id, new.id, new.no, new.completion_no, coalesce(new.user_id, gen_random_uuid()), new.company_id,
    new.course_id, new.version_id, by_session, coalesce(restored.rule, course.rule),
    case
      when restored.rule_text is not null then restored.rule_text
      when is_set then 'Set complete by an admin'
      when is_external then 'Completed elsewhere'
      else completion_rule_text(course.rule, course.kind)
    end,
    new.success, new.score_percent, new.active_seconds, new.reported_seconds, actor, why,
    new.started_at, new.completed_at, clock_timestamp(), is_external
  )
  on conflict (attempt_id, completion_no) do nothing;
  return null;
end $function$;

create or replace function end_completion_decision()
 returns trigger
 language plpgsql
as $function$
begin
  update completion_decisions
    set ended_at = clock_timestamp()
    where attempt_id = new.id
      and kind = 'set'
      and ended_at is null;
  update external_completions
    set ended_at = clock_timestamp()
    where attempt_id = new.id
      and ended_at is null;
  return null;
end $function$;

-- The days on which the course of an enrolment was completed, here and elsewhere, in their order.
create or replace function completion_days(enrolment uuid, zone text)
 returns date[]
 language sql
 stable
return (
  select coalesce(array_agg(days.completed_on order by days.completed_at), '{}')
  from (
    select
      happened_at as completed_at,
      -- A day from elsewhere stays the same, whichever zone the company moves to.
      coalesce(external.completed_on, (happened_at at time zone completion_days.zone)::date) as completed_on
    from completion_history
    left join external_completions external
      on external.attempt_id = completion_history.attempt_id
      and external.ended_at is null
    where completion_history.enrolment_id = completion_days.enrolment
      and not exists (
        select from completion_withdrawals
        where completion_withdrawals.completion_id = completion_history.id
      )
    union all
    select (external.completed_on + time '12:00') at time zone completion_days.zone, external.completed_on
    from enrolments
    join external_completions external
      on external.person_id = enrolments.user_id
      and external.company_id = enrolments.company_id
      and external.course_id = enrolments.course_id
    where enrolments.id = completion_days.enrolment
      and external.attempt_id is null
      and external.ended_at is null
  ) days
);

create or replace function follow_external_completion()
 returns trigger
 language plpgsql
as $function$
declare
  one external_completions;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform refresh_requirement(id)
  from enrolments
  where user_id = one.person_id
    and company_id = one.company_id
    and course_id = one.course_id;
  return null;
end $function$;

create trigger follow_external_insert after insert on external_completions
  for each row when (new.attempt_id is null) execute function follow_external_completion();
create trigger follow_external_delete after delete on external_completions
  for each row when (old.attempt_id is null) execute function follow_external_completion();
