-- Whoever remembers the people of a company hears of new ones, too (server/connectors/nameCache.ts). On a channel of its own: no node
-- remembers the access of somebody new. Names the people, or their companies if there are many, or everybody if these are many, too.
create function notify_new_users() returns trigger language plpgsql as $$
declare
  ids text[] := array(select id::text from new_rows where company_id is not null limit 101);
begin
  if cardinality(ids) > 100 then
    ids := array(select distinct 'company ' || company_id from new_rows where company_id is not null limit 101);
  end if;
  if cardinality(ids) > 100 then
    ids := array['*'];
  end if;
  perform pg_notify('new_people', id) from unnest(ids) id;
  return null;
end $$;
create trigger users_new_people after insert on users referencing new table as new_rows
  for each statement execute function notify_new_users();
