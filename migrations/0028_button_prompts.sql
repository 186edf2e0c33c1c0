-- A button that runs a prompt once for a learner of a course.
create table button_prompts (
  id uuid primary key default gen_random_uuid(),
  key text not null check (key ~ '^[a-z][a-z0-9-]{0,63}$'),
  label text not null,
  prompt_id uuid not null references prompts (id),
  connector_id uuid references connectors (id),
  model text,
  -- Variables that the answer fills in, with what each is about: [{"key": …, "about": …}]
  outputs jsonb not null default '[]',
  -- Condition on a variable, or null: {"key": …, "is": …, "value": …}
  visible_when jsonb,
  -- Runs per learner and day, and seconds between two of them.
  daily_limit integer,
  cooldown_seconds integer not null default 0,
  confirm_text text not null default '',
  failure_text text not null,
  status text not null default 'draft' check (status in ('draft', 'active', 'archived')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create unique index button_prompts_key on button_prompts (key);
create index button_prompts_prompt on button_prompts (prompt_id);
create index button_prompts_connector on button_prompts (connector_id);
create index button_prompts_updated_by on button_prompts (updated_by);

create table button_prompt_courses (
  button_id uuid not null references button_prompts (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  primary key (button_id, course_id)
);
create index button_prompt_courses_course on button_prompt_courses (course_id);

-- One use of a button. Neither what the learner wrote nor the answer is kept.
create table button_runs (
  id uuid primary key default gen_random_uuid(),
  button_id uuid not null references button_prompts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  at timestamptz not null default now(),
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  cost_micros bigint
);
create index button_runs_limit on button_runs (button_id, user_id, at desc);
create index button_runs_user on button_runs (user_id);
create index button_runs_company on button_runs (company_id);
create index button_runs_course on button_runs (course_id);
