-- Companies, people, courses, enrolments, and what happens in a session.

create table companies (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  slug text not null unique,
  status text not null default 'active' check (status in ('active', 'suspended', 'archived')),
  access_code text not null unique,
  previous_code text unique,
  previous_code_until timestamptz,
  code_enabled boolean not null default true,
  code_expires_at timestamptz,
  code_max_uses integer,
  code_used_count integer not null default 0,
  allowed_domains text[] not null default '{}',
  timezone text not null default 'UTC',
  contact_name text not null default '',
  contact_email text not null default '',
  learner_limit integer,
  notes text not null default '',
  color text,
  welcome text not null default '',
  logo bytea,
  logo_type text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid
);

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_verified boolean not null default false,
  name text not null default '',
  image text,
  role text not null default 'learner' check (role in ('admin', 'learner')),
  status text not null default 'invited' check (status in ('invited', 'active', 'suspended')),
  company_id uuid references companies (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_active timestamptz,
  last_login_at timestamptz,
  invited_at timestamptz,
  invited_by uuid references users (id),
  invitation_hash text unique,
  invitation_expires_at timestamptz,
  activated_via text check (activated_via in ('invitation', 'code', 'claim', 'admin')),
  suspended_at timestamptz,
  suspended_reason text not null default '',
  token_valid_after timestamptz not null default '-infinity',
  version integer not null default 1,
  check ((role = 'admin') = (company_id is null))
);
create unique index users_email on users (lower(email));
create index users_company on users (company_id, status);

create table courses (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  code text not null,
  summary text not null default '',
  minutes integer,
  kind text not null check (kind in ('scorm12', 'scorm2004', 'html')),
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  completion_rule jsonb not null,
  live_version_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id)
);
create unique index courses_code on courses (lower(code));

-- One uploaded package; never changed after it is written.
create table course_versions (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references courses (id) on delete cascade,
  number integer not null,
  kind text not null,
  title text not null,
  file_name text not null,
  bytes bigint not null,
  files integer not null,
  sha256 text not null,
  manifest jsonb not null,
  parts jsonb not null,
  warnings jsonb not null,
  created_at timestamptz not null default now(),
  created_by uuid references users (id),
  unique (course_id, number)
);
alter table courses add foreign key (live_version_id) references course_versions (id);

create table enrolments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id),
  course_id uuid not null references courses (id),
  cycle integer not null default 1,
  source text not null check (source in ('manual', 'company', 'code', 'invitation')),
  assigned_by uuid references users (id),
  assigned_at timestamptz not null default now(),
  due_date date,
  status text not null default 'assigned' check (status in ('assigned', 'in_progress', 'completed', 'failed', 'withdrawn')),
  progress real,
  success text not null default 'unknown' check (success in ('unknown', 'passed', 'failed')),
  score_percent real,
  current_part text,
  parts_done integer not null default 0,
  active_seconds integer not null default 0,
  reported_seconds integer not null default 0,
  first_started_at timestamptz,
  completed_at timestamptz,
  last_activity_at timestamptz,
  unique (user_id, course_id, cycle)
);
create index enrolments_course on enrolments (course_id, status);
create index enrolments_company on enrolments (company_id, status);

-- Courses that everybody of a company gets, also those who join later.
create table company_courses (
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  due_date date,
  assigned_by uuid references users (id),
  assigned_at timestamptz not null default now(),
  primary key (company_id, course_id)
);

-- One try at a course. `rev` grows with every write: commits compare and set it.
create table attempts (
  id uuid primary key default gen_random_uuid(),
  enrolment_id uuid references enrolments (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id),
  course_id uuid not null references courses (id),
  version_id uuid not null references course_versions (id),
  no integer not null,
  preview boolean not null default false,
  rev bigint not null default 0,
  completion text not null default 'incomplete' check (completion in ('incomplete', 'complete')),
  success text not null default 'unknown' check (success in ('unknown', 'passed', 'failed')),
  progress real,
  score_percent real,
  current_part text,
  active_seconds integer not null default 0,
  reported_seconds integer not null default 0,
  started_at timestamptz not null default now(),
  last_activity_at timestamptz,
  completed_at timestamptz
);
create unique index attempts_no on attempts (enrolment_id, no);
create index attempts_user on attempts (user_id, course_id);
create index attempts_version on attempts (version_id);

-- The run-time data of one part (SCO). Suspend data stands apart so that other commits do not rewrite it.
create table part_states (
  attempt_id uuid not null references attempts (id) on delete cascade,
  sco text not null,
  cmi jsonb not null default '{}',
  suspend_data text,
  completion text not null default 'unknown',
  success text not null default 'unknown',
  score_percent real,
  progress real,
  visits integer not null default 0,
  terminated boolean not null default false,
  reported_seconds real not null default 0,
  updated_at timestamptz not null default now(),
  primary key (attempt_id, sco)
);

-- One launch of one attempt in one window.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  attempt_id uuid not null references attempts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id),
  token_hash text not null,
  client_id text not null,
  device jsonb not null default '{}',
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text check (end_reason in ('exit', 'tab_closed', 'timeout', 'superseded', 'revoked')),
  active_ms bigint not null default 0,
  reported jsonb not null default '{}',
  commits integer not null default 0,
  failed_commits integer not null default 0,
  last_seq integer not null default 0
);
create index sessions_attempt on sessions (attempt_id, started_at);
create index sessions_user on sessions (user_id, started_at);
create unique index sessions_live on sessions (attempt_id) where ended_at is null;

-- The raw commits, append-only: what the browser sent, in its own numbering.
create table session_events (
  session_id uuid not null references sessions (id) on delete cascade,
  first_seq integer not null,
  last_seq integer not null,
  received_at timestamptz not null default now(),
  events json not null,
  primary key (session_id, first_seq)
);

create table answers (
  attempt_id uuid not null references attempts (id) on delete cascade,
  sco text not null,
  n integer not null,
  session_id uuid references sessions (id) on delete set null,
  t bigint,
  fields jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  primary key (attempt_id, sco, n)
);

create table mails (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  user_id uuid references users (id) on delete cascade,
  company_id uuid references companies (id) on delete cascade,
  subject text not null,
  body text not null,
  html text not null,
  reason text not null,
  status text not null default 'kept' check (status in ('kept', 'queued', 'sent', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mails_created on mails (created_at desc);

-- Rows that every commit changes get room on their page, so that no index has to follow (heap-only updates).
alter table attempts set (fillfactor = 70);
alter table sessions set (fillfactor = 70);
alter table part_states set (fillfactor = 60);
alter table enrolments set (fillfactor = 70);

-- A due date ends with its day in the company's zone (research/learning, complaint 9).
create function is_overdue(due date, zone text, status text) returns boolean language sql stable
  return due is not null and status in ('assigned', 'in_progress', 'failed') and (due + 1)::timestamp at time zone zone <= now();
