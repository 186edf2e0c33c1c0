-- A new email address that an admin has requested and not confirmed yet. At most one per person.
create table auth_email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  hash text not null unique,
  email text not null,
  expires_at timestamptz not null
);

-- Hash of the ADMIN_EMAIL whose account was created or found. If that admin is removed or changes their address, a
-- start does not create the account again.
alter table settings add column admin_email_hash text;
