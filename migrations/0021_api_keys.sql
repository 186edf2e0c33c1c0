-- Access for other systems. A key acts for the admin who created it, and ends with their account.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- The beginning of the key, by which people recognise it.
  prefix text not null,
  key_hash text not null unique,
  scopes text[] not null,
  -- Null: all companies.
  company_id uuid references companies (id) on delete cascade,
  created_by uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_company on api_keys (company_id);
create index api_keys_created_by on api_keys (created_by);

-- The id that another system has given a value: sent again, it is not stored again.
alter table variable_values add column external_id uuid;
create unique index variable_values_external on variable_values (external_id) where external_id is not null;
