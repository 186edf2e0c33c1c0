-- A variable: what a value may be, whose it is, and who may see it. Keys that content sends without a definition are rows with
-- status 'new', so that their values have a place from the first one on.
create table variables (
  id uuid primary key default gen_random_uuid(),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,63}$'),
  label text not null,
  description text not null default '',
  type text not null check (type in ('number', 'text', 'boolean', 'choice', 'multi', 'duration', 'date', 'json')),
  unit text not null default '',
  constraints jsonb not null default '{}',
  scope text not null check (scope in ('attempt', 'course', 'learner', 'company')),
  write_mode text not null default 'last' check (write_mode in ('last', 'first', 'max', 'min', 'sum')),
  default_value jsonb not null default 'null',
  privacy text not null default 'none' check (privacy in ('none', 'personal', 'sensitive')),
  learner_visible boolean not null default true,
  learner_editable boolean not null default false,
  usable_in_prompts boolean not null default true,
  leaderboard boolean not null default false,
  retention_days integer,
  status text not null check (status in ('new', 'active', 'archived', 'ignored')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create index variables_status on variables (status, lower(label));
create index variables_updated_by on variables (updated_by);

-- The courses that use a variable, and the key by which their content knows it: within a course a key is one variable. After a
-- merge the content still sends its old key.
create table variable_courses (
  course_id uuid not null references courses (id) on delete cascade,
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,63}$'),
  variable_id uuid not null references variables (id) on delete cascade,
  access text not null default 'both' check (access in ('read', 'write', 'both')),
  -- A value of the SCORM data model that sets the variable, besides what content sends: cmi.interactions[q3].learner_response
  path text,
  primary key (course_id, key)
);
create index variable_courses_variable on variable_courses (variable_id);

-- What a deletion covers, so that values that arrive late from some browser are deleted as well, and so that it can be restored.
create table variable_deletions (
  id uuid primary key default gen_random_uuid(),
  course_id uuid references courses (id) on delete cascade,
  variable_ids uuid[],
  company_id uuid references companies (id) on delete cascade,
  user_ids uuid[],
  only_preview boolean not null default false,
  happened_from timestamptz,
  -- Values that happened later are not covered.
  happened_until timestamptz not null default now(),
  value_count integer not null default 0,
  deleted_at timestamptz not null default now(),
  deleted_by uuid references users (id) on delete set null,
  restored_at timestamptz,
  restored_by uuid references users (id) on delete set null,
  purged_at timestamptz
);
create index variable_deletions_course on variable_deletions (course_id);
create index variable_deletions_company on variable_deletions (company_id);
create index variable_deletions_deleted_by on variable_deletions (deleted_by);
create index variable_deletions_restored_by on variable_deletions (restored_by);

-- One value, append-only. `tx` is the transaction that stored it: rows become visible in the order of their commits, not of their
-- ids, so the folding reads up to the oldest transaction that is still running.
create table variable_values (
  id bigint generated always as identity primary key,
  tx xid8 not null default pg_current_xact_id(),
  variable_id uuid not null references variables (id),
  user_id uuid references users (id) on delete cascade,
  company_id uuid not null references companies (id),
  course_id uuid references courses (id),
  version_id uuid references course_versions (id),
  attempt_id uuid references attempts (id) on delete cascade,
  session_id uuid references sessions (id) on delete set null,
  -- Number of the session event, and the part it came from.
  seq integer,
  sco text,
  source text not null check (source in ('content', 'mapping', 'package', 'correction', 'learner', 'api', 'flow')),
  actor_id uuid references users (id) on delete set null,
  value jsonb not null,
  -- Why the value does not count; null if it does.
  refusal text,
  -- Reason of a correction, and the value that it replaces; of several corrections, the value that was captured.
  reason text not null default '',
  corrects bigint references variable_values (id) on delete set null,
  -- A corrected value does not count any more.
  is_corrected boolean not null default false,
  preview boolean not null default false,
  happened_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  deletion_id uuid references variable_deletions (id) on delete set null
);
create index variable_values_tx on variable_values (tx, id);
create index variable_values_variable on variable_values (variable_id, id);
create index variable_values_user on variable_values (user_id, variable_id, id);
create index variable_values_course on variable_values (course_id, id);
create index variable_values_company on variable_values (company_id, id);
create index variable_values_attempt on variable_values (attempt_id, id);
create index variable_values_session on variable_values (session_id, seq);
create index variable_values_corrects on variable_values (corrects) where corrects is not null;
create index variable_values_version on variable_values (version_id);
create index variable_values_actor on variable_values (actor_id) where actor_id is not null;
create index variable_values_deletion on variable_values (deletion_id) where deletion_id is not null;

-- The values of one subject (attempt, learner in a course, learner, company) folded by write mode. Derived: `npm run recount`
-- makes the same rows from the values.
create table variable_current (
  variable_id uuid not null references variables (id) on delete cascade,
  subject text not null,
  user_id uuid references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid references courses (id) on delete cascade,
  attempt_id uuid references attempts (id) on delete cascade,
  count integer not null,
  current jsonb not null,
  current_at timestamptz not null,
  current_id bigint not null,
  first jsonb not null,
  first_at timestamptz not null,
  first_id bigint not null,
  last_at timestamptz not null,
  -- The current and first value as numbers, for statistics; null for other types.
  number double precision,
  first_number double precision,
  primary key (variable_id, subject)
);
create index variable_current_number on variable_current (variable_id, number) where number is not null;
create index variable_current_last on variable_current (variable_id, last_at desc);
create index variable_current_user on variable_current (user_id, variable_id);
create index variable_current_company on variable_current (company_id, variable_id);
create index variable_current_course on variable_current (course_id);
create index variable_current_attempt on variable_current (attempt_id);

-- How many subjects have which current value, by company: what lists and charts show without reading every value. Derived.
create table variable_tallies (
  variable_id uuid not null references variables (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  label text not null,
  number double precision,
  count integer not null,
  primary key (variable_id, company_id, label)
);
create index variable_tallies_company on variable_tallies (company_id);

-- Up to where values are folded.
create table variable_fold (
  id boolean primary key default true check (id),
  tx xid8 not null,
  value_id bigint not null
);
insert into variable_fold (tx, value_id) values ('0', 0);

-- Numbers of a variable in one company. Derived.
create table variable_totals (
  variable_id uuid not null references variables (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  -- Subjects with a current value, and the learners among or behind them.
  subjects integer not null default 0,
  learners integer not null default 0,
  -- Values that count, and values that were refused.
  accepted bigint not null default 0,
  refused bigint not null default 0,
  last_at timestamptz,
  primary key (variable_id, company_id)
);
create index variable_totals_company on variable_totals (company_id);

-- What the values of erased people and expired values have added to the value of a company: they are gone, their sum is not.
create table variable_checkpoints (
  variable_id uuid not null references variables (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  folded jsonb not null,
  primary key (variable_id, company_id)
);
create index variable_checkpoints_company on variable_checkpoints (company_id);
