-- Sign-in: the library's tables under our names, and the counters that slow down guessing.

create table auth_sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index auth_sessions_user on auth_sessions (user_id);

create table auth_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index auth_accounts_user on auth_accounts (user_id);

create table auth_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index auth_verifications_identifier on auth_verifications (identifier);

create table auth_keys (
  id uuid primary key,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  alg text,
  crv text
);

-- One row a guarded thing (an e-mail, an address): how often it was tried in the running window.
create table throttles (
  key text primary key,
  tries integer not null,
  until timestamptz not null
);
