-- Whoever remembers the access of people hears of every change of it, whatever statement made it (server/core/accessChanges.ts).

-- Names these users on the channel `access_changes`, or everybody if there are many.
create function notify_access_changes(ids uuid[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    perform pg_notify('access_changes', '*');
  else
    perform pg_notify('access_changes', id::text) from unnest(ids) id;
  end if;
end $$;

-- Every column counts, also those that are added later, except for those that only say when a person was here.
create function notify_changed_users() returns trigger language plpgsql as $$
declare
  passing text[] := array['last_active', 'last_login_at', 'updated_at', 'version'];
begin
  if tg_op = 'DELETE' then
    perform notify_access_changes(array(select id from old_rows limit 101));
  else
    perform notify_access_changes(array(select id from old_rows o left join new_rows n using (id)
      where to_jsonb(o) - passing is distinct from to_jsonb(n) - passing limit 101));
  end if;
  return null;
end $$;
create trigger users_access_update after update on users referencing old table as old_rows new table as new_rows
  for each statement execute function notify_changed_users();
create trigger users_access_delete after delete on users referencing old table as old_rows
  for each statement execute function notify_changed_users();

create function notify_changed_sessions() returns trigger language plpgsql as $$
declare
  passing text[] := array['expires_at', 'updated_at', 'seen_at', 'reauthenticated_at'];
begin
  if tg_op = 'DELETE' then
    perform notify_access_changes(array(select distinct user_id from old_rows limit 101));
  else
    perform notify_access_changes(array(select distinct o.user_id from old_rows o left join new_rows n using (id)
      where to_jsonb(o) - passing is distinct from to_jsonb(n) - passing limit 101));
  end if;
  return null;
end $$;
create trigger auth_sessions_access_update after update on auth_sessions referencing old table as old_rows new table as new_rows
  for each statement execute function notify_changed_sessions();
create trigger auth_sessions_access_delete after delete on auth_sessions referencing old table as old_rows
  for each statement execute function notify_changed_sessions();

create function notify_changed_companies() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changes', '*');
  return null;
end $$;
create trigger companies_access_update after update on companies for each row when (old.status is distinct from new.status)
  execute function notify_changed_companies();
create trigger companies_access_delete after delete on companies for each row execute function notify_changed_companies();
