-- Who leads whom in a company (docs/decisions/0060-managers.md). A person has at most one manager.
create table managers (
  user_id uuid primary key references users (id) on delete cascade,
  manager_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  -- The day in the time zone of the company from which on it is so.
  since date not null,
  check (user_id <> manager_id)
);
create index managers_manager on managers (manager_id);
create index managers_company on managers (company_id);

-- Somebody who stands in for a manager, on these days in the time zone of the company, the last one included.
create table manager_deputies (
  id uuid primary key default gen_random_uuid(),
  manager_id uuid not null references users (id) on delete cascade,
  deputy_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  from_day date not null,
  until_day date not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  check (manager_id <> deputy_id),
  check (until_day between from_day and from_day + 366)
);
create index manager_deputies_manager on manager_deputies (manager_id);
create index manager_deputies_deputy on manager_deputies (deputy_id);
create index manager_deputies_company on manager_deputies (company_id);

-- Changes of who leads whom in a company happen one after the other: two at the same time could form a cycle together.
create function lock_managers(company uuid) returns void language sql
  begin atomic
    select pg_advisory_xact_lock(hashtextextended('managers ' || company, 0));
  end;

-- Whatever statement writes a row: both people are learners of the company, and nobody is above themselves.
create function check_manager() returns trigger language plpgsql as $$
declare
  above uuid := new.manager_id;
begin
  perform lock_managers(new.company_id);
  -- Until the transaction ends, neither moves to another company.
  perform from users where id in (new.user_id, new.manager_id) order by id for share;
  if (
    select count(*)
    from users
    where id in (new.user_id, new.manager_id) and company_id = new.company_id and role = 'learner'
  ) < 2 then
    raise exception 'a manager and the people led belong to one company' using errcode = 'check_violation';
  end if;
  while above is not null loop
    if above = new.user_id then
      raise exception 'nobody leads themselves' using errcode = 'check_violation', constraint = 'managers_cycle';
    end if;
    above := (select manager_id from managers where user_id = above);
  end loop;
  return null;
end $$;
create trigger check_manager after insert or update on managers for each row execute function check_manager();

-- The people of a manager who goes pass to the next above who is still in the company.
create function pass_on_people(leaver uuid) returns void language plpgsql as $$
declare
  company uuid := (select company_id from managers where leaver in (user_id, manager_id) limit 1);
  above uuid := leaver;
begin
  if company is null then return; end if;
  perform lock_managers(company);
  loop
    above := (select manager_id from managers where user_id = above);
    exit when above is null or exists (
      select from users where id = above and id <> leaver and company_id = company and role = 'learner'
    );
  end loop;
  if above is not null then
    update managers
    set manager_id = above,
      since = (now() at time zone companies.timezone)::date
    from users, companies
    where managers.manager_id = leaver
      and users.id = managers.user_id
      and users.company_id = managers.company_id
      and users.role = 'learner'
      and companies.id = managers.company_id;
  end if;
  delete from managers where leaver in (user_id, manager_id);
  delete from manager_deputies where leaver in (manager_id, deputy_id);
end $$;

create function pass_on_people_of_leaver() returns trigger language plpgsql as $$
begin
  perform pass_on_people(old.id);
  return old;
end $$;
create trigger pass_on_people_delete before delete on users
  for each row
  execute function pass_on_people_of_leaver();
create trigger pass_on_people_update after update of company_id, role on users
  for each row
  when (old.company_id is distinct from new.company_id or old.role <> new.role)
  execute function pass_on_people_of_leaver();

-- Append-only, like the rest of the history (0014). `manager_id` is null where nobody leads the person any more.
create table manager_history (
  id bigint generated always as identity primary key,
  person_id uuid not null,
  manager_id uuid,
  company_id uuid not null,
  change text not null check (change in ('set', 'changed', 'removed')),
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null
);
create index manager_history_person on manager_history (person_id, id);
create index manager_history_manager on manager_history (manager_id) where manager_id is not null;
create index manager_history_company on manager_history (company_id);
create index manager_history_actor on manager_history (actor_id) where actor_id is not null;

create function write_manager_history() returns trigger language plpgsql as $$
declare
  one managers := case when tg_op = 'DELETE' then old else new end;
begin
  insert into manager_history (
    person_id, manager_id, company_id, change, actor_id, reason, happened_at, recorded_at
  )
  values (
    one.user_id,
    case when tg_op <> 'DELETE' then one.manager_id end,
    one.company_id,
    case tg_op when 'INSERT' then 'set' when 'UPDATE' then 'changed' else 'removed' end,
    history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp()
  );
  return null;
end $$;
create trigger write_history_insert after insert on managers for each row execute function write_manager_history();
create trigger write_history_update after update on managers
  for each row
  when (old.manager_id <> new.manager_id or old.company_id <> new.company_id)
  execute function write_manager_history();
create trigger write_history_delete after delete on managers for each row execute function write_manager_history();

-- The manager of a row is a person too.
create or replace function refuse_history_change() returns trigger language plpgsql as $$
declare
  replaced text[] := array[
    'person_id', 'actor_id', 'manager_id', 'happened_at', 'recorded_at', 'assigned_at', 'first_started_at',
    'completed_at'
  ];
begin
  if tg_op = 'UPDATE' and current_setting('lyceum.rewrite', true) = 'allowed' then
    if to_jsonb(new) - replaced = to_jsonb(old) - replaced then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger manager_history_append_only before update or delete on manager_history
  for each row
  execute function refuse_history_change();
create trigger manager_history_no_truncate before truncate on manager_history
  for each statement
  execute function refuse_history_change();

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
  update reminder_log set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;
