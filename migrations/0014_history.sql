-- History that reports need: every change of an enrolment, a membership, a company or a course is a row, written by triggers in the
-- transaction of the change, so that no statement can forget it. Rows are states, not differences: the state at a time is the last
-- row recorded before it. See docs/decisions/0020-history.md.

-- When the learner did what the last commit reports; earlier than its arrival if the browser was offline.
alter table enrolments add column happened_at timestamptz;

create table enrolment_history (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null,
  -- The learner; after an erasure a random number, the same in every row. There are no foreign keys: rows outlive what they name.
  person_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  change text not null check (change in ('assigned', 'due', 'withdrawn', 'restored', 'started', 'completed', 'status', 'result', 'attempt', 'removed')),
  source text not null check (source in ('manual', 'company', 'code', 'invitation')),
  cycle integer not null,
  status text not null check (status in ('assigned', 'in_progress', 'completed', 'failed', 'withdrawn')),
  success text not null check (success in ('unknown', 'passed', 'failed')),
  score_percent real,
  due_date date,
  -- The latest attempt and its version; null before the first.
  attempt_no integer,
  version_id uuid,
  -- Who caused the change (null: the system), and by which endpoint or statement.
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index enrolment_history_enrolment on enrolment_history (enrolment_id, id);
create index enrolment_history_person on enrolment_history (person_id);
create index enrolment_history_company on enrolment_history (company_id, course_id);
create index enrolment_history_course on enrolment_history (course_id);
create index enrolment_history_actor on enrolment_history (actor_id) where actor_id is not null;

-- The counters of an enrolment after the last commit of each quarter of an hour with activity. Commits change them all the time, so
-- they are stored when the next quarter with activity begins; until then they are in `enrolments`.
create table enrolment_activity (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null,
  recorded_at timestamptz not null,
  progress real,
  parts_done integer not null,
  active_seconds integer not null,
  reported_seconds integer not null,
  unique (enrolment_id, recorded_at)
);

create table membership_history (
  id bigint generated always as identity primary key,
  person_id uuid not null,
  company_id uuid,
  change text not null check (change in ('created', 'activated', 'deactivated', 'moved', 'role', 'suspended', 'restored', 'removed')),
  role text not null check (role in ('admin', 'learner')),
  status text not null check (status in ('invited', 'active', 'suspended')),
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index membership_history_person on membership_history (person_id, id);
create index membership_history_company on membership_history (company_id);
create index membership_history_actor on membership_history (actor_id) where actor_id is not null;

-- A company that is suspended or archived, or whose time zone changes, changes the figures of all its members.
create table company_history (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  change text not null check (change in ('created', 'suspended', 'archived', 'restored', 'timezone', 'removed')),
  status text not null check (status in ('active', 'suspended', 'archived')),
  timezone text not null,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index company_history_company on company_history (company_id, id);
create index company_history_actor on company_history (actor_id) where actor_id is not null;

create table course_history (
  id bigint generated always as identity primary key,
  course_id uuid not null,
  change text not null check (change in ('created', 'published', 'unpublished', 'archived', 'version', 'rule', 'removed')),
  status text not null check (status in ('draft', 'published', 'archived')),
  live_version_id uuid,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index course_history_course on course_history (course_id, id);
create index course_history_actor on course_history (actor_id) where actor_id is not null;

-- Who, why and when: settings of the transaction (server/core/db.ts). Without them the system did it, now.
create function history_actor() returns uuid language sql stable
  return nullif(current_setting('lyceum.actor', true), '')::uuid;
create function history_reason() returns text language sql stable
  return nullif(current_setting('lyceum.reason', true), '');
create function history_time() returns timestamptz language sql stable
  return nullif(current_setting('lyceum.happened_at', true), '')::timestamptz;

create function write_enrolment_history() returns trigger language plpgsql as $$
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
    due_date, attempt_no, version_id, actor_id, reason, happened_at, recorded_at)
  values (one.id, person, one.company_id, one.course_id, what, one.source, one.cycle, one.status, one.success, one.score_percent,
    one.due_date, last_attempt.no, last_attempt.version_id, actor, why, coalesce(happened, clock_timestamp()), clock_timestamp());
  return null;
end $$;
create trigger write_history_insert after insert on enrolments for each row execute function write_enrolment_history();
create trigger write_history_delete after delete on enrolments for each row execute function write_enrolment_history();
create trigger write_history_update after update on enrolments for each row
  when (old.status is distinct from new.status or old.due_date is distinct from new.due_date
    or old.success is distinct from new.success or old.score_percent is distinct from new.score_percent)
  execute function write_enrolment_history();

create function write_attempt_history() returns trigger language plpgsql as $$
begin
  insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent,
    due_date, attempt_no, version_id, actor_id, reason, happened_at, recorded_at)
  select id, coalesce(user_id, gen_random_uuid()), company_id, course_id, 'attempt', source, cycle, status, success, score_percent,
    due_date, new.no, new.version_id, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp()
  from enrolments where id = new.enrolment_id;
  return null;
end $$;
create trigger write_history_insert after insert on attempts for each row
  when (new.enrolment_id is not null and not new.preview) execute function write_attempt_history();

create function write_enrolment_activity() returns trigger language plpgsql as $$
begin
  insert into enrolment_activity (enrolment_id, recorded_at, progress, parts_done, active_seconds, reported_seconds)
  values (old.id, old.last_activity_at, old.progress, old.parts_done, old.active_seconds, old.reported_seconds)
  on conflict do nothing;
  return null;
end $$;
create trigger write_activity_update after update on enrolments for each row
  when (old.last_activity_at is not null and (date_bin('15 minutes', old.last_activity_at, '2000-01-01')
    is distinct from date_bin('15 minutes', new.last_activity_at, '2000-01-01')
    -- An erasure truncates the time of anonymised results.
    or old.user_id is distinct from new.user_id))
  execute function write_enrolment_activity();
create trigger write_activity_delete after delete on enrolments for each row
  when (old.last_activity_at is not null) execute function write_enrolment_activity();

create function write_membership_history() returns trigger language plpgsql as $$
declare
  one users;
  what text;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  if tg_op = 'INSERT' then what := 'created';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case
      when new.role <> old.role then 'role'
      when new.company_id is distinct from old.company_id then 'moved'
      when new.status = 'suspended' then 'suspended'
      when old.status = 'suspended' then 'restored'
      when new.status = 'active' then 'activated'
      else 'deactivated' end;
  end if;
  insert into membership_history (person_id, company_id, change, role, status, actor_id, reason, happened_at, recorded_at)
  values (one.id, one.company_id, what, one.role, one.status, history_actor(), history_reason(),
    coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $$;
create trigger write_history_insert after insert on users for each row execute function write_membership_history();
create trigger write_history_update after update on users for each row
  when (old.role is distinct from new.role or old.status is distinct from new.status or old.company_id is distinct from new.company_id)
  execute function write_membership_history();
create trigger write_history_delete after delete on users for each row execute function write_membership_history();

create function write_company_history() returns trigger language plpgsql as $$
declare
  one companies;
  what text;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  if tg_op = 'INSERT' then what := 'created';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case when new.status = old.status then 'timezone' when new.status = 'active' then 'restored' else new.status end;
  end if;
  insert into company_history (company_id, change, status, timezone, actor_id, reason, happened_at, recorded_at)
  values (one.id, what, one.status, one.timezone, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $$;
create trigger write_history_insert after insert on companies for each row execute function write_company_history();
create trigger write_history_update after update on companies for each row
  when (old.status is distinct from new.status or old.timezone is distinct from new.timezone) execute function write_company_history();
create trigger write_history_delete after delete on companies for each row execute function write_company_history();

create function write_course_history() returns trigger language plpgsql as $$
declare
  one courses;
  what text;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  if tg_op = 'INSERT' then what := 'created';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case
      when new.status <> old.status then case new.status when 'draft' then 'unpublished' else new.status end
      when new.live_version_id is distinct from old.live_version_id then 'version'
      else 'rule' end;
  end if;
  insert into course_history (course_id, change, status, live_version_id, actor_id, reason, happened_at, recorded_at)
  values (one.id, what, one.status, one.live_version_id, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $$;
create trigger write_history_insert after insert on courses for each row execute function write_course_history();
create trigger write_history_update after update on courses for each row
  when (old.status is distinct from new.status or old.live_version_id is distinct from new.live_version_id
    or old.completion_rule is distinct from new.completion_rule)
  execute function write_course_history();
create trigger write_history_delete after delete on courses for each row execute function write_course_history();

-- A user who goes, by whatever way, is replaced by one random number that is stored nowhere else, and the times by the quarter of an
-- hour in which they lie, which changes no report: a day ends with a quarter of an hour in every time zone.
create function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity set recorded_at = date_bin('15 minutes', recorded_at, '2000-01-01')
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history set person_id = pseudonym, happened_at = date_bin('15 minutes', happened_at, '2000-01-01'),
    recorded_at = date_bin('15 minutes', recorded_at, '2000-01-01') where person_id = old.id;
  update membership_history set person_id = pseudonym, happened_at = date_bin('15 minutes', happened_at, '2000-01-01'),
    recorded_at = date_bin('15 minutes', recorded_at, '2000-01-01') where person_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  return null;
end $$;
-- Triggers run in the order of their names: after the one that writes the last row.
create trigger write_history_number after delete on users for each row execute function replace_person_in_history();

-- Rows are never deleted. Of a row only the person, the actor and the times may change, and only where somebody says so.
create function refuse_history_change() returns trigger language plpgsql as $$
declare
  replaced text[] := array['person_id', 'actor_id', 'happened_at', 'recorded_at'];
begin
  if tg_op = 'UPDATE' and current_setting('lyceum.rewrite', true) = 'allowed' then
    if to_jsonb(new) - replaced = to_jsonb(old) - replaced then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
do $$ declare name text; begin
  foreach name in array array['enrolment_history', 'enrolment_activity', 'membership_history', 'company_history', 'course_history'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_history_change()', name || '_append_only', name);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_history_change()', name || '_no_truncate', name);
  end loop;
end $$;
