-- Groups of the people of a company: chosen by hand, or by a rule of the language of conditions (shared/conditions).
create table groups (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  name text not null,
  description text not null default '',
  -- Null: chosen by hand.
  rule jsonb,
  -- The rule depends on the day. `checked_on`: the last day of the company on which all people were checked.
  follows_days boolean not null default false,
  checked_on date,
  -- The number of people who are in it now.
  people integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null,
  -- A deleted group is shown nowhere; reports that were issued about it can still be checked.
  removed_at timestamptz
);
create unique index groups_name on groups (company_id, lower(name)) where removed_at is null;
create index groups_people on groups (company_id, people, id) where removed_at is null;
create index groups_name_trigrams on groups using gin (name gin_trgm_ops) with (gin_pending_list_limit = 64);
create index groups_days on groups (checked_on) where follows_days and removed_at is null;

-- What the rule of a group depends on: a change of a person is checked only against the groups that it can concern.
create table group_rule_uses (
  group_id uuid not null references groups (id) on delete cascade,
  company_id uuid not null,
  kind text not null check (kind in ('field', 'group', 'joined', 'status', 'course', 'variable')),
  -- A field, group or course by its id, a variable by its key; empty for the others.
  target text not null,
  -- The choice of a field.
  choice text not null default '',
  primary key (group_id, kind, target, choice)
);
create index group_rule_uses_target on group_rule_uses (company_id, kind, target);
create index group_rule_uses_any on group_rule_uses (kind, target);

-- People whom an admin has put in or keeps out; both win over the rule.
create table group_overrides (
  group_id uuid not null references groups (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  place text not null check (place in ('in', 'out')),
  -- The last day, in the time zone of the company.
  until date,
  note text not null default '',
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  primary key (group_id, user_id)
);
create index group_overrides_user on group_overrides (user_id);
create index group_overrides_until on group_overrides (until) where until is not null;

-- Who was in a group, from when until when and why. Rows are closed, never changed or removed: figures as of an earlier
-- day count those who were in the group on that day. There are no foreign keys: rows outlive what they name.
create table group_members (
  id bigint generated always as identity primary key,
  group_id uuid not null,
  company_id uuid not null,
  -- The learner; after an erasure the number that they have in all tables of history.
  person_id uuid not null,
  why text not null check (why in ('rule', 'hand')),
  since timestamptz not null default clock_timestamp(),
  until timestamptz
);
create unique index group_members_now on group_members (group_id, person_id) where until is null;
create index group_members_person on group_members (person_id, group_id);
create index group_members_group on group_members (group_id, since);

create function refuse_membership_change() returns trigger language plpgsql as $$
declare
  replaced text[] := array['person_id', 'since', 'until'];
begin
  if tg_op = 'UPDATE' then
    if old.until is null and to_jsonb(new) - 'until'::text = to_jsonb(old) - 'until'::text then return new; end if;
    if current_setting('lyceum.rewrite', true) = 'allowed' and to_jsonb(new) - replaced = to_jsonb(old) - replaced then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger group_members_append_only before update or delete on group_members
  for each row execute function refuse_membership_change();
create trigger group_members_no_truncate before truncate on group_members
  for each statement execute function refuse_membership_change();

-- Changes of people that groups may depend on, until a job has followed them.
create table group_changes (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  user_id uuid not null,
  -- As in group_rule_uses; `person`: new in the company, or gone from it.
  kind text not null,
  target text not null default ''
);
create index group_changes_company on group_changes (company_id, id);

-- Queues a change, if a rule of the company depends on it. With `wakes` it also orders the job, once in a transaction.
create function queue_group_change(company uuid, person uuid, change text, changed text, wakes boolean default true)
returns void language plpgsql as $$
begin
  if company is null or person is null then return; end if;
  if change = 'person' then
    if not exists (select from groups where company_id = company and removed_at is null) then return; end if;
  elsif not exists (
    select from group_rule_uses where company_id = company and kind = change and target = changed
  ) then return;
  end if;
  insert into group_changes (company_id, user_id, kind, target) values (company, person, change, changed);
  if wakes and current_setting('lyceum.groups_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.groups_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('groups:follow', '{}');
  end if;
end $$;

create function follow_person() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform queue_group_change(new.company_id, new.id, 'person', '');
    return null;
  end if;
  if old.company_id is distinct from new.company_id or old.role <> new.role then
    delete from group_overrides using groups
      where groups.id = group_overrides.group_id
        and group_overrides.user_id = new.id
        and groups.company_id is distinct from new.company_id;
    perform queue_group_change(old.company_id, new.id, 'person', '');
    if old.company_id is distinct from new.company_id then
      perform queue_group_change(new.company_id, new.id, 'person', '');
    end if;
  end if;
  if old.status <> new.status then perform queue_group_change(new.company_id, new.id, 'status', ''); end if;
  if old.joined_at is distinct from new.joined_at or old.status <> new.status then
    perform queue_group_change(new.company_id, new.id, 'joined', '');
  end if;
  return null;
end $$;
create trigger follow_person_insert after insert on users for each row
  when (new.role = 'learner') execute function follow_person();
create trigger follow_person_update after update on users for each row
  when (old.company_id is distinct from new.company_id or old.role <> new.role or old.status <> new.status
    or old.joined_at is distinct from new.joined_at)
  execute function follow_person();

create function follow_field_value() returns trigger language plpgsql as $$
declare
  one field_values;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform queue_group_change(
    (select company_id from users where id = one.user_id), one.user_id, 'field', one.field_id::text
  );
  return null;
end $$;
create trigger follow_field_value after insert or update or delete on field_values
  for each row execute function follow_field_value();

-- Only whether a person has a course and has completed it. Commits of the player do not order the job: PostgreSQL
-- commits transactions that notify one at a time, and what follows a completion does it anyway
-- (server/groups/domain.ts).
create function follow_enrolment() returns trigger language plpgsql as $$
declare
  one enrolments;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform queue_group_change(
    one.company_id, one.user_id, 'course', one.course_id::text,
    tg_op <> 'UPDATE' or new.happened_at is not distinct from old.happened_at
  );
  return null;
end $$;
create trigger follow_enrolment_made after insert or delete on enrolments
  for each row execute function follow_enrolment();
create trigger follow_enrolment_changed after update on enrolments for each row
  when (
    old.status <> new.status
    and ('withdrawn' in (old.status, new.status) or 'completed' in (old.status, new.status))
  )
  execute function follow_enrolment();

create function follow_variable() returns trigger language plpgsql as $$
declare
  one variable_current;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform queue_group_change(
    one.company_id, one.user_id, 'variable', (select key from variables where id = one.variable_id)
  );
  return null;
end $$;
create trigger follow_variable_made after insert or delete on variable_current for each row
  execute function follow_variable();
create trigger follow_variable_changed after update on variable_current for each row
  when (old.current is distinct from new.current) execute function follow_variable();

-- A user who goes leaves the groups, and is replaced in the past ones by the same number as in the others.
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
