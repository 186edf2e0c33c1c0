-- A new email address that an admin has asked for, until its owner confirms it with the link. One for each person.
create table auth_email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  hash text not null unique,
  email text not null,
  expires_at timestamptz not null
);

-- Hash of the ADMIN_EMAIL whose account was made or found: once its admin was removed or has another address, a start does not make it again.
alter table settings add column admin_email_hash text;
