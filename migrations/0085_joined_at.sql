-- When a person could first log in: their account was created as active, they accepted an invitation, or they verified
-- their email. Null for everyone who joined before this migration.
alter table users add column joined_at timestamptz;

create function note_joining() returns trigger language plpgsql as $$
begin
  if new.status = 'invited' or new.email_verification_pending then
    new.joined_at := null;
  elsif tg_op = 'INSERT' then
    new.joined_at := coalesce(new.joined_at, new.created_at);
  elsif old.status = 'invited' or old.email_verification_pending then
    new.joined_at := now();
  end if;
  return new;
end $$;

create trigger note_joining
  before insert or update of status, email_verification_pending
  on users
  for each row execute function note_joining();
