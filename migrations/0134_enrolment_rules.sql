-- Rules that enrol people in courses (docs/decisions/0067-enrolment-rules.md).
create table enrolment_rules (
  id uuid primary key default gen_random_uuid(),
  -- Null: the people of all companies.
  company_id uuid references companies (id) on delete cascade,
  name text not null,
  -- What learners read about why they have the course.
  explanation text not null default '',
  -- Null: everybody.
  condition jsonb,
  due jsonb not null,
  -- Whom it enrols: who meets it when it is switched on, who begins to meet it later, or both.
  people text not null default 'all' check (people in ('all', 'existing', 'future')),
  -- What happens to those who no longer meet it.
  leaving text not null default 'keep' check (leaving in ('keep', 'withdraw')),
  notify boolean not null default true,
  state text not null default 'draft' check (state in ('draft', 'active', 'paused')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null,
  -- Whether it depends on the day.
  follows_days boolean not null default false,
  -- A removed rule stays the reason of enrolments.
  removed_at timestamptz
);
create index enrolment_rules_company on enrolment_rules (company_id) where removed_at is null;
create index enrolment_rules_updated_by on enrolment_rules (updated_by) where updated_by is not null;

create table enrolment_rule_courses (
  rule_id uuid not null references enrolment_rules (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  primary key (rule_id, course_id)
);
create index enrolment_rule_courses_course on enrolment_rule_courses (course_id);

-- What a rule depends on, as in group_rule_uses.
create table enrolment_rule_uses (
  rule_id uuid not null references enrolment_rules (id) on delete cascade,
  kind text not null,
  target text not null,
  primary key (rule_id, kind, target)
);
create index enrolment_rule_uses_target on enrolment_rule_uses (kind, target);

-- Who met a rule for future people when it was switched on, as long as they meet it.
create table enrolment_rule_exceptions (
  rule_id uuid not null references enrolment_rules (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (rule_id, user_id)
);
create index enrolment_rule_exceptions_user on enrolment_rule_exceptions (user_id);

-- One switching on of a rule, or one change of an active one, for everybody in turns; and its undoing.
create table enrolment_rule_runs (
  id uuid primary key default gen_random_uuid(),
  rule_id uuid not null references enrolment_rules (id) on delete cascade,
  state text not null check (state in ('applying', 'applied', 'undoing', 'undone')),
  made_by uuid references users (id) on delete set null,
  made_at timestamptz not null default now(),
  applied_at timestamptz,
  -- The last person of a pass over all of them.
  cursor uuid,
  checked integer not null default 0,
  turn_at timestamptz not null default now(),
  leased_until timestamptz,
  failures integer not null default 0
);
create index enrolment_rule_runs_rule on enrolment_rule_runs (rule_id, made_at);
create index enrolment_rule_runs_made_by on enrolment_rule_runs (made_by) where made_by is not null;
create index enrolment_rule_runs_waiting on enrolment_rule_runs (turn_at) where state in ('applying', 'undoing');

-- Who was enrolled by a run, as long as it can be undone.
create table enrolment_rule_run_rows (
  run_id uuid not null references enrolment_rule_runs (id) on delete cascade,
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  -- Null until the undoing has come to it.
  undone boolean,
  primary key (run_id, enrolment_id)
);
create index enrolment_rule_run_rows_enrolment on enrolment_rule_run_rows (enrolment_id);

-- People of whom something has changed that rules may depend on, until a job has checked them.
create table enrolment_rule_changes (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  user_id uuid not null,
  -- As in enrolment_rule_uses; `person`: all rules; `rule`: the rule `target`, whose check has failed.
  kind text not null,
  target text not null default '',
  due_at timestamptz not null default now(),
  failures integer not null default 0
);
create index enrolment_rule_changes_company on enrolment_rule_changes (company_id, id);
create index enrolment_rule_changes_user on enrolment_rule_changes (user_id);

-- Everybody of a company is checked again once a day, in batches.
create table enrolment_rule_days (
  company_id uuid primary key references companies (id) on delete cascade,
  -- The day on which the last complete check began.
  checked_on date,
  -- The day on which the present one began, and the last person whom it has checked.
  begun_on date,
  cursor uuid,
  -- Later after a failure.
  turn_at timestamptz not null default now()
);

create function forget_enrolment_rule_changes() returns trigger language plpgsql as $$
begin
  delete from enrolment_rule_changes where user_id = old.id;
  return old;
end $$;
create trigger forget_enrolment_rule_changes before delete on users for each row
  execute function forget_enrolment_rule_changes();

-- Queues a change, and orders the job once in a transaction. A new person is always queued: a rule that is switched on
-- meanwhile does not see them yet.
create function queue_enrolment_rules(person uuid, change text, changed text, wakes boolean default true)
returns void language plpgsql as $$
declare
  company uuid := (select company_id from users where id = person);
begin
  if company is null then return; end if;
  if change <> 'person' and not exists (
    select from enrolment_rule_uses where kind = change and target = changed
  ) then return;
  end if;
  insert into enrolment_rule_changes (company_id, user_id, kind, target) values (company, person, change, changed);
  if wakes and current_setting('lyceum.enrolment_rules_woken', true)
    is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.enrolment_rules_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('enrolmentRules:follow', '{}', queue_name := 'enrolment-rules');
  end if;
end $$;

-- As in 0124, and rules are told too.
create or replace function queue_group_change(
  company uuid, person uuid, change text, changed text, wakes boolean default true
) returns void language plpgsql as $$
begin
  if company is null or person is null then return; end if;
  perform queue_enrolment_rules(person, change, changed, wakes);
  if change in ('person', 'erased') then
    if not exists (select from groups where company_id = company and removed_at is null) then return; end if;
  elsif not exists (
    select from group_rule_uses where company_id = company and kind = change and target = changed
  ) then return;
  end if;
  insert into group_changes (company_id, user_id, kind, target) values (company, person, change, changed);
  if wakes and current_setting('lyceum.groups_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.groups_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('groups:follow', '{}', queue_name := 'groups');
  end if;
end $$;

-- Who joins or leaves a group, by its rule or by hand.
create function follow_group_member() returns trigger language plpgsql as $$
begin
  perform queue_enrolment_rules(new.person_id, 'group', new.group_id::text);
  return null;
end $$;
create trigger follow_group_member_joined after insert on group_members for each row
  execute function follow_group_member();
create trigger follow_group_member_left after update on group_members for each row
  when (old.until is null and new.until is not null) execute function follow_group_member();

-- An assignment that is undone leaves the course to the rules, and a course that is given back gets their reasons too.
create function follow_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.status <> 'withdrawn' or history_reason() = 'courses.undo')
    and current_setting('lyceum.enrolment_reason', true) is distinct from 'rule' then
    perform queue_enrolment_rules(new.user_id, 'person', '');
  end if;
  return null;
end $$;
create trigger follow_withdrawal after update on enrolments for each row
  when ((old.status = 'withdrawn') <> (new.status = 'withdrawn')) execute function follow_withdrawal();

-- A step without a person is that of a rule: it only tells whom to write to.
alter table undo_steps alter column made_by drop not null;
