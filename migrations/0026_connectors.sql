-- A provider of language models. `api_key` is sealed for this row (server/core/secrets.ts) and never leaves the server.
create table connectors (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  kind text not null check (kind in ('builtin', 'openai', 'azure', 'anthropic', 'google')),
  base_url text not null default '',
  api_key text,
  key_hint text,
  models jsonb not null default '[]',
  fallbacks jsonb not null default '[]',
  cheaper_model text,
  first_token_timeout_ms integer not null default 30000,
  total_timeout_ms integer not null default 120000,
  max_concurrent integer not null default 20,
  -- Empty: every company.
  company_ids uuid[] not null default '{}',
  is_default boolean not null default false,
  status text not null default 'draft' check (status in ('draft', 'active', 'disabled', 'archived')),
  -- Failures in a row within two minutes; five of them pause the connector until `paused_until`.
  failures integer not null default 0,
  first_failure_at timestamptz,
  paused_until timestamptz,
  last_error_code text,
  last_error_at timestamptz,
  last_test jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create unique index connectors_default on connectors (is_default) where is_default;
create index connectors_updated_by on connectors (updated_by);
-- Quotes passages; needs no provider.
insert into connectors (id, name, kind, status, models)
values ('00000000-0000-4000-8000-000000000001', 'Built-in', 'builtin', 'active', '[{"id": "quotation", "use": "chat", "prices": []}]');

-- What calls may cost in a month (UTC), and have cost. Money is in millionths of the academy's currency. `reserved` is the most that the
-- running calls can cost. Amounts of an earlier month count as 0.
create table ai_budgets (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('academy', 'company', 'connector', 'chatbot')),
  -- The company, connector or chatbot.
  owner_id uuid,
  limit_micros bigint,
  month date not null default (date_trunc('month', now() at time zone 'UTC'))::date,
  spent_micros bigint not null default 0,
  reserved_micros bigint not null default 0,
  -- The part of the limit, in percent, of which admins have been told this month.
  notified_percent integer not null default 0
);
create unique index ai_budgets_owner on ai_budgets (kind, owner_id) nulls not distinct;
insert into ai_budgets (kind) values ('academy');

-- What holds for all connectors. One row.
create table ai_settings (
  id boolean primary key default true check (id),
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  limit_text text not null
);
insert into ai_settings (limit_text) values ('The limit for this month is reached. Answers continue next month, or when an admin raises it.');

-- One call of a model. Never the text of prompt or answer.
create table ai_usage (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null default now(),
  purpose text not null check (purpose in ('chat', 'prompt', 'button', 'analysis', 'document', 'embedding', 'test')),
  connector_id uuid not null references connectors (id),
  model text not null,
  -- The connector that was asked first, if this one answers for it.
  fallback_for uuid references connectors (id),
  user_id uuid references users (id) on delete set null,
  visitor_id text,
  company_id uuid references companies (id) on delete cascade,
  chatbot_id uuid,
  prompt_version_id uuid,
  status text not null default 'running' check (status in ('running', 'done', 'length', 'stopped', 'refused', 'cut', 'failed', 'lost')),
  code text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  is_estimated boolean not null default true,
  -- The price that held when the call began, per million tokens; null if there was none.
  input_price double precision,
  output_price double precision,
  reserved_micros bigint not null default 0,
  cost_micros bigint,
  budget_ids uuid[] not null default '{}',
  first_token_ms integer,
  total_ms integer,
  passage_ids jsonb not null default '[]',
  -- Still running after this: the server that made the call is gone.
  expires_at timestamptz not null
);
create index ai_usage_at on ai_usage (at desc, id);
create index ai_usage_connector on ai_usage (connector_id, at desc);
create index ai_usage_fallback on ai_usage (fallback_for) where fallback_for is not null;
create index ai_usage_company on ai_usage (company_id, at desc);
create index ai_usage_user on ai_usage (user_id);
create index ai_usage_prompt on ai_usage (prompt_version_id, at desc) where prompt_version_id is not null;
create index ai_usage_chatbot on ai_usage (chatbot_id, at desc) where chatbot_id is not null;
create index ai_usage_running on ai_usage (expires_at) where status = 'running';
