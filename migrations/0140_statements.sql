-- The record store: xAPI statements and documents of each company (docs/decisions/0070-record-store.md).

-- Keys by which other systems write and read. The secret is stored as a hash.
create table statement_clients (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  name text not null,
  user_name text not null unique,
  secret_hash text not null,
  scopes text[] not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index statement_clients_company on statement_clients (company_id, created_at desc, id);
create index statement_clients_created_by on statement_clients (created_by)
  where created_by is not null;

create table statements (
  position bigint generated always as identity primary key,
  company_id uuid not null references companies (id) on delete cascade,
  -- Chosen by who sends it, unique in the company.
  id uuid not null,
  -- In milliseconds, as the statement says it.
  stored_at timestamptz not null,
  happened_at timestamptz not null,
  -- The learner whom the actor names; null if it is nobody here.
  user_id uuid references users (id) on delete set null,
  -- The key, or the session of the launch, by which it came. Null: the server has said it.
  client_id uuid references statement_clients (id) on delete set null,
  session_id uuid references sessions (id) on delete set null,
  attempt_id uuid references attempts (id) on delete set null,
  registration uuid,
  verb text not null,
  verb_key uuid not null,
  -- The id of the activity that is its object.
  activity text,
  -- The statement that is its object.
  object_statement uuid,
  is_voiding boolean not null default false,
  is_voided boolean not null default false,
  statement jsonb not null,
  unique (company_id, id)
);
create index statements_stored on statements (company_id, stored_at, position);
create index statements_verb on statements (company_id, verb_key, stored_at, position);
create index statements_registration on statements (company_id, registration, stored_at, position)
  where registration is not null;
create index statements_object on statements (company_id, object_statement)
  where object_statement is not null;
create index statements_user on statements (user_id, stored_at)
  where user_id is not null;
create index statements_client on statements (client_id, stored_at, position)
  where client_id is not null;
create index statements_session on statements (session_id)
  where session_id is not null;
create index statements_attempt on statements (attempt_id, stored_at, position)
  where attempt_id is not null;

-- Who and what each statement names. A key is the first half of the SHA-256 of an identifier. `is_main`: it is the
-- actor or object, or a member of that group.
create table statement_agents (
  company_id uuid not null,
  agent_key uuid not null,
  stored_at timestamptz not null,
  position bigint not null references statements (position) on delete cascade,
  is_main boolean not null,
  primary key (company_id, agent_key, stored_at, position)
);
create index statement_agents_main on statement_agents (company_id, agent_key, stored_at, position)
  where is_main;
create index statement_agents_position on statement_agents (position);

create table statement_activities (
  company_id uuid not null,
  activity_key uuid not null,
  stored_at timestamptz not null,
  position bigint not null references statements (position) on delete cascade,
  is_main boolean not null,
  -- Of the statement: who did what with an activity is asked most, and everybody may have said something else of it.
  verb_key uuid not null,
  primary key (company_id, activity_key, stored_at, position)
);
create index statement_activities_main on statement_activities (company_id, activity_key, stored_at, position)
  where is_main;
create index statement_activities_verb
  on statement_activities (company_id, activity_key, verb_key, stored_at, position)
  where is_main;
create index statement_activities_position on statement_activities (position);

-- Statements whose object is, directly or over others, the statement `target`: they match what it matches.
create table statement_references (
  company_id uuid not null,
  stored_at timestamptz not null,
  position bigint not null references statements (position) on delete cascade,
  target bigint not null references statements (position) on delete cascade,
  primary key (company_id, stored_at, position, target)
);
create index statement_references_position on statement_references (position);
create index statement_references_target on statement_references (target);

create table statement_files (
  company_id uuid not null references companies (id) on delete cascade,
  -- SHA-2 of the bytes, in hexadecimal.
  hash text not null,
  bytes bytea not null,
  primary key (company_id, hash)
);

create table statement_attachments (
  company_id uuid not null,
  hash text not null,
  position bigint not null references statements (position) on delete cascade,
  primary key (position, hash),
  foreign key (company_id, hash) references statement_files (company_id, hash) on delete cascade
);
create index statement_attachments_file on statement_attachments (company_id, hash);

-- What is known of each activity, from all statements about it.
create table activity_definitions (
  company_id uuid not null references companies (id) on delete cascade,
  activity_key uuid not null,
  activity text not null,
  definition jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, activity_key)
);

-- State, and profiles of activities and agents. What a kind does not have is the zero UUID.
create table statement_documents (
  company_id uuid not null references companies (id) on delete cascade,
  kind text not null check (kind in ('state', 'activity', 'agent')),
  activity_key uuid not null default '00000000-0000-0000-0000-000000000000',
  agent_key uuid not null default '00000000-0000-0000-0000-000000000000',
  registration uuid not null default '00000000-0000-0000-0000-000000000000',
  document_id text not null,
  activity text,
  user_id uuid references users (id) on delete cascade,
  content_type text not null,
  bytes bytea not null,
  -- SHA-1 of the bytes, in hexadecimal.
  etag text not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, kind, activity_key, agent_key, registration, document_id)
);
create index statement_documents_user on statement_documents (user_id)
  where user_id is not null;
