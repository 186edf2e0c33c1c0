-- Identity: signing in by other means, proofs by mail, second factors, single sign-on of companies.

-- A record that was claimed without its mailbox being proven may not sign in with the password before it is.
alter table users add column mailbox_pending boolean not null default false;
alter table users drop constraint users_activated_via_check;
alter table users add constraint users_activated_via_check check (activated_via in ('invitation', 'code', 'claim', 'admin', 'sso'));

alter table auth_sessions add column seen_at timestamptz not null default now();

-- What is guarded (a hashed e-mail), so that a password reset can lift every lock of one person.
alter table throttles add column subject text;
create index throttles_subject on throttles (subject) where subject is not null;

-- Tokens that work once: a reset link, a confirmation link, the second step of a sign-in.
create table auth_tickets (
  hash text primary key,
  purpose text not null check (purpose in ('reset', 'mailbox', 'step')),
  user_id uuid not null references users (id) on delete cascade,
  details jsonb not null default '{}',
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index auth_tickets_user on auth_tickets (user_id, purpose);

-- Where people of a company sign in: its own identity provider.
create table sso_connections (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null unique references companies (id) on delete cascade,
  kind text not null check (kind in ('oidc', 'saml')),
  issuer text not null,
  client_id text not null default '',
  client_secret text,
  entry_point text not null default '',
  certificates text[] not null default '{}',
  enforced boolean not null default false,
  enabled boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create table sso_domains (
  domain text primary key,
  connection_id uuid not null references sso_connections (id) on delete cascade
);
create index sso_domains_connection on sso_domains (connection_id);

-- A sign-in that is under way at a provider; no connection means Google.
create table auth_flows (
  state_hash text primary key,
  id uuid not null,
  browser_hash text not null,
  connection_id uuid references sso_connections (id) on delete cascade,
  purpose text not null check (purpose in ('signIn', 'register', 'link')),
  user_id uuid references users (id) on delete cascade,
  request jsonb not null default '{}',
  profile jsonb,
  expires_at timestamptz not null
);

-- The authenticator app of a person. The secret is encrypted; last_step is the last code's time step, so that none works twice.
create table auth_factors (
  user_id uuid primary key references users (id) on delete cascade,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table auth_recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  hash text not null,
  primary key (user_id, hash)
);
create table auth_passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index auth_passkeys_user on auth_passkeys (user_id);

-- A challenge that a passkey answers, once.
create table auth_challenges (
  hash text primary key,
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz not null
);
