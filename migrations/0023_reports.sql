-- Reports as of any time (docs/decisions/0026-reports.md): the history gets the dates of an enrolment and what became of every part.

-- A row is the whole state of its enrolment, so that a report reads one row for each: also when it was assigned, started and completed.
alter table enrolment_history
  add column assigned_at timestamptz,
  add column first_started_at timestamptz,
  add column completed_at timestamptz;
alter table enrolment_history disable trigger user;
update enrolment_history h set assigned_at = dates.assigned_at, first_started_at = dates.first_started_at,
  completed_at = case when dates.is_completed then dates.completed_at end
from (
  select id, first_value(happened_at) over before as assigned_at,
    min(happened_at) filter (where status in ('in_progress', 'completed', 'failed')) over before as first_started_at,
    max(happened_at) filter (where change = 'completed') over before as completed_at,
    bool_or(status = 'completed') over before as is_completed
  from enrolment_history window before as (partition by enrolment_id order by id rows unbounded preceding)
) dates where dates.id = h.id;
alter table enrolment_history enable trigger user;
alter table enrolment_history alter column assigned_at set not null;
drop index enrolment_history_course;
create index enrolment_history_course on enrolment_history (course_id, enrolment_id, id);
create index enrolment_history_of_company on enrolment_history (company_id, enrolment_id, id);

create or replace function write_enrolment_history() returns trigger language plpgsql as $$
declare
  one enrolments;
  what text;
  person uuid;
  actor uuid := history_actor();
  why text := history_reason();
  happened timestamptz := history_time();
  last_attempt record;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  person := one.user_id;
  if tg_op = 'INSERT' then what := 'assigned';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case
      when new.status is distinct from old.status then case
        when new.status = 'withdrawn' then 'withdrawn'
        when old.status = 'withdrawn' then 'restored'
        when new.status = 'completed' then 'completed'
        when old.status = 'assigned' then 'started'
        else 'status' end
      when new.due_date is distinct from old.due_date then 'due'
      else 'result' end;
    -- An erasure takes the person off first; their number follows when the user goes.
    person := coalesce(new.user_id, old.user_id);
    -- The dates of anonymised results are cut to the day; in the history they are cut to the quarter of an hour when the user goes.
    if new.user_id is null and old.user_id is not null then
      one.assigned_at := old.assigned_at; one.first_started_at := old.first_started_at; one.completed_at := old.completed_at;
    end if;
    -- A commit: the learner did it, at a time that the browser says and the server bounds.
    if new.user_id is not null and new.happened_at is distinct from old.happened_at then
      actor := coalesce(actor, new.user_id);
      why := coalesce(why, 'player.commit');
      happened := coalesce(happened, new.happened_at);
    end if;
  end if;
  -- Results that were anonymised belong to the number of their earlier rows.
  if person is null then
    select person_id into person from enrolment_history where enrolment_id = one.id order by id desc limit 1;
    person := coalesce(person, gen_random_uuid());
  end if;
  select no, version_id into last_attempt from attempts where enrolment_id = one.id and not preview order by no desc limit 1;
  insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent,
    due_date, attempt_no, version_id, actor_id, reason, happened_at, recorded_at, assigned_at, first_started_at, completed_at)
  values (one.id, person, one.company_id, one.course_id, what, one.source, one.cycle, one.status, one.success, one.score_percent,
    one.due_date, last_attempt.no, last_attempt.version_id, actor, why, coalesce(happened, clock_timestamp()), clock_timestamp(),
    one.assigned_at, one.first_started_at, one.completed_at);
  return null;
end $$;

create or replace function write_attempt_history() returns trigger language plpgsql as $$
begin
  insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent,
    due_date, attempt_no, version_id, actor_id, reason, happened_at, recorded_at, assigned_at, first_started_at, completed_at)
  select id, coalesce(user_id, gen_random_uuid()), company_id, course_id, 'attempt', source, cycle, status, success, score_percent,
    due_date, new.no, new.version_id, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp(),
    assigned_at, first_started_at, completed_at
  from enrolments where id = new.enrolment_id;
  return null;
end $$;

-- What became of each part of an attempt. There is nothing of a person in a row: only the enrolment, which an erasure leaves without one.
create table part_history (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null,
  attempt_no integer not null,
  -- Place in the outline of the version, among the parts that can be opened, from 1; null for a part that is not in it.
  position integer,
  state text not null check (state in ('started', 'done', 'failed')),
  score_percent real,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index part_history_enrolment on part_history (enrolment_id, attempt_no, position, id);

-- The parts of a version that can be opened, in their order.
create function parts_in_order(version uuid) returns table (sco text, is_sco boolean, place integer) language sql stable as $$
  select part ->> 'sco', (part ->> 'isSco')::boolean, (row_number() over (order by listed.place))::integer
  from course_versions, jsonb_array_elements(parts) with ordinality as listed (part, place)
  where course_versions.id = version and part ->> 'href' is not null
$$;

-- As `isPartDone` of server/player/completionRule.ts: an asset cannot report, and is done once it was opened.
create function part_outcome(is_sco boolean, completion text, success text) returns text language sql immutable
  return case when not coalesce(is_sco, true) or completion = 'completed' or success = 'passed' then 'done'
    when success = 'failed' then 'failed' else 'started' end;

create function write_part_history() returns trigger language plpgsql as $$
begin
  insert into part_history (enrolment_id, attempt_no, position, state, score_percent, recorded_at)
  select a.enrolment_id, a.no, p.place, part_outcome(p.is_sco, new.completion, new.success), new.score_percent, clock_timestamp()
  from attempts a left join parts_in_order(a.version_id) p on p.sco = new.sco
  where a.id = new.attempt_id and a.enrolment_id is not null and not a.preview;
  return null;
end $$;
create trigger write_history_insert after insert on part_states for each row execute function write_part_history();
create trigger write_history_update after update on part_states for each row
  when (old.completion is distinct from new.completion or old.success is distinct from new.success
    or old.score_percent is distinct from new.score_percent)
  execute function write_part_history();

insert into part_history (enrolment_id, attempt_no, position, state, score_percent, recorded_at, backfilled)
select a.enrolment_id, a.no, p.place, part_outcome(p.is_sco, s.completion, s.success), s.score_percent, now(), true
from part_states s join attempts a on a.id = s.attempt_id
left join (select id, sco, is_sco, place from course_versions, parts_in_order(id)) p on p.id = a.version_id and p.sco = s.sco
where a.enrolment_id is not null and not a.preview order by s.updated_at, p.place;

-- A user who goes: the new times are cut to the quarter of an hour as well.
create or replace function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity set recorded_at = date_bin(quarter, recorded_at, '2000-01-01')
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update part_history set recorded_at = date_bin(quarter, recorded_at, '2000-01-01')
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history set person_id = pseudonym, happened_at = date_bin(quarter, happened_at, '2000-01-01'),
    recorded_at = date_bin(quarter, recorded_at, '2000-01-01'), assigned_at = date_bin(quarter, assigned_at, '2000-01-01'),
    first_started_at = date_bin(quarter, first_started_at, '2000-01-01'), completed_at = date_bin(quarter, completed_at, '2000-01-01')
    where person_id = old.id;
  update membership_history set person_id = pseudonym, happened_at = date_bin(quarter, happened_at, '2000-01-01'),
    recorded_at = date_bin(quarter, recorded_at, '2000-01-01') where person_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  return null;
end $$;

create or replace function refuse_history_change() returns trigger language plpgsql as $$
declare
  replaced text[] := array['person_id', 'actor_id', 'happened_at', 'recorded_at', 'assigned_at', 'first_started_at', 'completed_at'];
begin
  if tg_op = 'UPDATE' and current_setting('lyceum.rewrite', true) = 'allowed' then
    if to_jsonb(new) - replaced = to_jsonb(old) - replaced then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger part_history_append_only before update or delete on part_history for each row execute function refuse_history_change();
create trigger part_history_no_truncate before truncate on part_history for each statement execute function refuse_history_change();

-- Reports as they were issued: what was counted and the figures, without names. Never changed; whoever has the number can have it counted anew.
create table issued_reports (
  id uuid primary key default gen_random_uuid(),
  number integer generated always as identity unique,
  kind text not null check (kind in ('company', 'course')),
  company_id uuid references companies (id) on delete cascade,
  course_id uuid references courses (id) on delete cascade,
  filters jsonb not null,
  as_of timestamptz not null,
  figures jsonb not null,
  digest text not null,
  rows integer not null,
  issued_at timestamptz not null default now(),
  issued_by uuid references users (id) on delete set null
);
create index issued_reports_company on issued_reports (company_id, issued_at desc);
create index issued_reports_course on issued_reports (course_id, issued_at desc);
create index issued_reports_issued_by on issued_reports (issued_by) where issued_by is not null;
