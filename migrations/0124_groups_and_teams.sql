-- Changes are followed by one job at a time. Without a queue, the jobs of several transactions waited for each other's
-- lock of a company, and kept all others, such as mail, from starting meanwhile.
create or replace function queue_group_change(
  company uuid, person uuid, change text, changed text, wakes boolean default true
) returns void language plpgsql as $$
begin
  if company is null or person is null then return; end if;
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

-- A person who is erased leaves their groups (0119), whose numbers of people change. `erased`: `target` is the group,
-- and `user_id` no person's.
create function leave_groups() returns trigger language plpgsql as $$
declare
  member record;
begin
  for member in select company_id, group_id from group_members where person_id = old.id and until is null loop
    perform queue_group_change(member.company_id, gen_random_uuid(), 'erased', member.group_id::text);
  end loop;
  return old;
end $$;
create trigger leave_groups before delete on users for each row execute function leave_groups();

-- Makes up for people who were erased before.
update groups
set people = counted.people
from (
  select groups.id, count(group_members.id) as people
  from groups
  left join group_members on group_members.group_id = groups.id and group_members.until is null
  where groups.removed_at is null
  group by groups.id
) counted
where groups.id = counted.id
  and groups.people <> counted.people;

-- As in 0118, but looks up the people of each manager by index, whatever PostgreSQL expects: it estimates ten times as
-- many rows as the first level has, and read all managers of all companies for a team of eleven.
create or replace function people_of(manager uuid) returns table (user_id uuid, is_direct boolean)
  language sql stable rows 20
  begin atomic
    with recursive led (user_id, is_direct, status) as (
      select managers.user_id, true, users.status
      from managers_in_place_of(manager) place (id)
      join managers on managers.manager_id = place.id
      join users on users.id = managers.user_id
        and users.company_id = managers.company_id
        and users.role = 'learner'
      union
      select below.user_id, led.is_direct and led.status <> 'active', below.status
      from led
      cross join lateral (
        select managers.user_id, (
          select users.status
          from users
          where users.id = managers.user_id
            and users.company_id = managers.company_id
            and users.role = 'learner'
        ) as status
        from managers
        where managers.manager_id = led.user_id
        offset 0
      ) below
      where below.status is not null
    )
    select led.user_id, bool_or(led.is_direct)
    from led
    where led.status <> 'suspended'
      and led.user_id <> manager
    group by led.user_id;
  end;
