-- Whoever remembers the people of a company hears of new ones, too (server/connectors/nameCache.ts).
create function notify_new_users() returns trigger language plpgsql as $$
begin
  perform notify_access_changes(array(select id from new_rows limit 101));
  return null;
end $$;
create trigger users_access_insert after insert on users referencing new table as new_rows
  for each statement execute function notify_new_users();
