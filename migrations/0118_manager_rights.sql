-- Whose records a manager sees (docs/decisions/0060-managers.md).
alter table companies add column managers_see_people boolean not null default true;

-- What is given to single people of a company. `manager`: sees the people whom they lead, also if managers of the
-- company otherwise see nobody. Later kinds add theirs.
create table given_rights (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  kind text not null check (kind in ('manager')),
  -- The last day in the time zone of the company; null if it does not end.
  ends_on date,
  given_by uuid references users (id) on delete set null,
  given_at timestamptz not null default now(),
  unique (user_id, kind)
);
create index given_rights_company on given_rights (company_id);

-- A right belongs to a company, and is no longer that of a person who goes to another one.
create function forget_given_rights() returns trigger language plpgsql as $$
begin
  delete from given_rights where user_id = new.id;
  return null;
end $$;
create trigger forget_given_rights after update of company_id, role on users
  for each row
  when (old.company_id is distinct from new.company_id or old.role <> new.role)
  execute function forget_given_rights();

-- Those in whose place a person acts as a manager today: themselves, and whom they stand in for. Nobody without an
-- active account in an active company whose managers see their people, or to whom the right was given.
create function managers_in_place_of(person uuid) returns setof uuid language sql stable rows 2
  begin atomic
    with viewer as (
      select users.id, users.company_id, (now() at time zone companies.timezone)::date as today
      from users
      join companies on companies.id = users.company_id
      where users.id = person
        and users.role = 'learner'
        and users.status = 'active'
        and companies.status = 'active'
        and (companies.managers_see_people or exists (
          select from given_rights
          where given_rights.user_id = users.id
            and given_rights.kind = 'manager'
            and given_rights.company_id = users.company_id
            and coalesce(given_rights.ends_on >= (now() at time zone companies.timezone)::date, true)
        ))
    )
    select viewer.id
    from viewer
    union
    select manager_deputies.manager_id
    from viewer
    join manager_deputies on manager_deputies.deputy_id = viewer.id
      and manager_deputies.company_id = viewer.company_id
      and viewer.today between manager_deputies.from_day and manager_deputies.until_day;
  end;

-- The one place that decides whom a manager sees: the people whom they and those they stand in for lead, directly and
-- through others, except themselves and those who are suspended. `is_direct`: no active manager is in between, so the
-- people of a suspended or an invited manager are direct reports of the next above.
create function people_of(manager uuid) returns table (user_id uuid, is_direct boolean) language sql stable rows 20
  begin atomic
    with recursive led (user_id, is_direct, status) as (
      select managers.user_id, true, users.status
      from managers_in_place_of(manager) place (id)
      join managers on managers.manager_id = place.id
      join users on users.id = managers.user_id
        and users.company_id = managers.company_id
        and users.role = 'learner'
      union
      select managers.user_id, led.is_direct and led.status <> 'active', users.status
      from led
      join managers on managers.manager_id = led.user_id
      join users on users.id = managers.user_id
        and users.company_id = managers.company_id
        and users.role = 'learner'
    )
    select led.user_id, bool_or(led.is_direct)
    from led
    where led.status <> 'suspended'
      and led.user_id <> manager
    group by led.user_id;
  end;

-- Whether they are in a position to lead anybody, for the menu and the policy of the routes.
create function leads_people(person uuid) returns boolean language sql stable
  return exists (
    select
    from managers_in_place_of(person) place (id)
    join managers on managers.manager_id = place.id
  );

-- Whoever remembers the access of people hears of changes of it (0017).
create function notify_changed_managers() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then changed := array(select distinct manager_id from new_rows limit 101);
  elsif tg_op = 'DELETE' then changed := array(select distinct manager_id from old_rows limit 101);
  else changed := array(select manager_id from old_rows union select manager_id from new_rows limit 101);
  end if;
  perform notify_access_changes(
    array(select unnest(changed) union select deputy_id from manager_deputies where manager_id = any(changed) limit 101)
  );
  return null;
end $$;
create trigger managers_access_insert after insert on managers referencing new table as new_rows
  for each statement
  execute function notify_changed_managers();
create trigger managers_access_update after update on managers
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function notify_changed_managers();
create trigger managers_access_delete after delete on managers referencing old table as old_rows
  for each statement
  execute function notify_changed_managers();

create function notify_changed_right() returns trigger language plpgsql as $$
declare
  one jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform notify_access_changes(array[coalesce(one->>'deputy_id', one->>'user_id')::uuid]);
  return null;
end $$;
create trigger manager_deputies_access after insert or update or delete on manager_deputies
  for each row
  execute function notify_changed_right();
create trigger given_rights_access after insert or update or delete on given_rights
  for each row
  execute function notify_changed_right();
create trigger companies_access_managers after update on companies
  for each row
  when (old.managers_see_people <> new.managers_see_people)
  execute function notify_changed_companies();
