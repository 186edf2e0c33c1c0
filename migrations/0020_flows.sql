-- Receivers of values outside of the academy.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  url text not null,
  -- Encrypted; bound to the row.
  secret text not null,
  -- Null: values of all companies.
  company_id uuid references companies (id) on delete cascade,
  includes_names boolean not null default false,
  -- off: switched off by an admin, or after lasting failure.
  status text not null default 'active' check (status in ('active', 'off')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  -- Since when every try has failed; null after a success.
  failing_since timestamptz,
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  -- A node is delivering; another one may take over after this time.
  leased_until timestamptz,
  last_status integer,
  last_answer text not null default '',
  last_at timestamptz
);
create index webhooks_company on webhooks (company_id);
create index webhooks_created_by on webhooks (created_by);

-- A wire: what happens to the values of a variable besides being stored.
create table flows (
  id uuid primary key default gen_random_uuid(),
  source_variable_id uuid not null references variables (id) on delete cascade,
  transform jsonb not null default '{"kind":"none"}',
  target_variable_id uuid references variables (id) on delete cascade,
  target_webhook_id uuid references webhooks (id) on delete cascade,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  -- Values stored by older transactions are not sent through.
  since_tx xid8 not null default pg_current_xact_id(),
  fired bigint not null default 0,
  last_fired_at timestamptz,
  refused bigint not null default 0,
  check (num_nonnulls(target_variable_id, target_webhook_id) = 1)
);
-- An input has one source.
create unique index flows_target_variable on flows (target_variable_id) where target_variable_id is not null;
create unique index flows_target_webhook on flows (source_variable_id, target_webhook_id) where target_webhook_id is not null;
create index flows_source on flows (source_variable_id);
create index flows_webhook on flows (target_webhook_id);
create index flows_created_by on flows (created_by);

-- Up to where values went through the flows; never ahead of variable_fold.
create table flow_cursor (
  id boolean primary key default true check (id),
  tx xid8 not null,
  value_id bigint not null
);
insert into flow_cursor (tx, value_id) select tx, value_id from variable_fold;

-- A copy names the value that it comes from, also over several flows.
alter table variable_values add column origin_id bigint references variable_values (id) on delete set null;
alter table variable_values add column flow_id uuid references flows (id) on delete set null;
create index variable_values_origin on variable_values (origin_id) where origin_id is not null;
create index variable_values_flow on variable_values (flow_id) where flow_id is not null;

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  -- Sent with every try, so that a receiver recognises a repetition.
  event_id uuid not null default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  flow_id uuid references flows (id) on delete set null,
  value_id bigint references variable_values (id) on delete set null,
  user_id uuid references users (id) on delete cascade,
  body text not null,
  created_at timestamptz not null default now(),
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  tries integer not null default 0,
  last_status integer,
  last_answer text not null default '',
  last_ms integer,
  last_at timestamptz
);
create unique index webhook_deliveries_value on webhook_deliveries (webhook_id, flow_id, value_id) where value_id is not null;
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, id) where status = 'pending';
create index webhook_deliveries_list on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_user on webhook_deliveries (user_id);
create index webhook_deliveries_flow on webhook_deliveries (flow_id);
create index webhook_deliveries_value_only on webhook_deliveries (value_id);
create index webhook_deliveries_created on webhook_deliveries (created_at);
