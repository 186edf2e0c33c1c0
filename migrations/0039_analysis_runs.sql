-- An analysis of many conversations. Without a connector it counts, and no model reads anything.
create table analysis_runs (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  kind text not null check (kind in ('counts', 'themes', 'question')),
  question text not null default '',
  filter jsonb not null,
  connector_id uuid references connectors (id) on delete set null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  code text,
  company_id uuid references companies (id) on delete cascade,
  -- The conversations in order; those that are deleted meanwhile are passed over.
  conversation_ids uuid[] not null default '{}',
  read integer not null default 0,
  model text,
  spent_micros bigint not null default 0,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  finished_at timestamptz
);
create index analysis_runs_created on analysis_runs (created_at desc);
create index analysis_runs_created_by on analysis_runs (created_by);
create index analysis_runs_connector on analysis_runs (connector_id);
create index analysis_runs_company on analysis_runs (company_id);
create index analysis_runs_open on analysis_runs (leased_until) where state in ('waiting', 'running');

-- A statement about conversations, in the words of the model.
create table analysis_statements (
  id bigint generated always as identity primary key,
  run_id uuid not null references analysis_runs (id) on delete cascade,
  number integer not null,
  text text not null,
  detail text not null default '',
  unique (run_id, number)
);

-- The evidence of a statement: where in a turn it stands, never a copy of the text. It goes with the turn.
create table analysis_quotes (
  id bigint generated always as identity primary key,
  statement_id bigint not null references analysis_statements (id) on delete cascade,
  turn_id uuid not null references turns (id) on delete cascade,
  starts integer not null,
  ends integer not null,
  unique (statement_id, turn_id)
);
create index analysis_quotes_turn on analysis_quotes (turn_id);

-- How many statements had no quote that stands in the conversation.
alter table analysis_runs add column dropped integer not null default 0;
