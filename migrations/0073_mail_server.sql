-- The mail server that admins set up. SMTP_URL takes precedence. One row, or none.
create table mail_server (
  id boolean primary key default true check (id),
  host text not null,
  port integer not null check (port between 1 and 65535),
  security text not null check (security in ('tls', 'starttls', 'none')),
  username text not null default '',
  -- Encrypted.
  password text,
  sender_name text not null default '',
  sender_address text not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
