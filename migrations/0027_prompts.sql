-- An instruction for language models. Its text is in its versions, of which one is live and the newest is the draft.
create table prompts (
  id uuid primary key default gen_random_uuid(),
  key text not null check (key ~ '^[a-z][a-z0-9-]{0,63}$'),
  name text not null,
  description text not null default '',
  purpose text not null check (purpose in ('chatbot', 'analysis', 'rubric', 'button', 'refusal')),
  status text not null default 'active' check (status in ('active', 'archived')),
  live_version_id uuid,
  draft_version_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create unique index prompts_key on prompts (key);
create index prompts_name on prompts (status, lower(name));
create index prompts_updated_by on prompts (updated_by);

create table prompt_versions (
  id uuid primary key default gen_random_uuid(),
  prompt_id uuid not null references prompts (id) on delete cascade,
  number integer not null,
  body text not null,
  -- What has changed, in the words of its author.
  note text not null default '',
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  unique (prompt_id, number)
);
create index prompt_versions_created_by on prompt_versions (created_by);
alter table prompts add foreign key (live_version_id) references prompt_versions (id);
alter table prompts add foreign key (draft_version_id) references prompt_versions (id);
create index prompts_live on prompts (live_version_id);
create index prompts_draft on prompts (draft_version_id);

-- Runs refer to versions: what a version says never changes. Only its author may be forgotten.
create function refuse_prompt_change() returns trigger language plpgsql as $$
begin
  raise exception 'versions of prompts never change';
end $$;
create trigger prompt_versions_immutable before update on prompt_versions for each row
  when ((old.id, old.prompt_id, old.number, old.body, old.note, old.created_at)
    is distinct from (new.id, new.prompt_id, new.number, new.body, new.note, new.created_at))
  execute function refuse_prompt_change();

-- A question whose answer is checked: what it has to contain, and what not.
create table prompt_cases (
  id uuid primary key default gen_random_uuid(),
  prompt_id uuid not null references prompts (id) on delete cascade,
  name text not null,
  message text not null,
  contains text[] not null default '{}',
  lacks text[] not null default '{}',
  -- The most words that an answer may have.
  max_words integer,
  created_at timestamptz not null default now()
);
create index prompt_cases_prompt on prompt_cases (prompt_id, created_at);

-- The latest result of a question with a version.
create table prompt_results (
  case_id uuid not null references prompt_cases (id) on delete cascade,
  version_id uuid not null references prompt_versions (id) on delete cascade,
  connector text not null,
  model text not null,
  passed boolean not null,
  answer text not null,
  -- The texts that were missing or should not be there, or the code of a failure.
  faults text[] not null default '{}',
  at timestamptz not null default now(),
  primary key (case_id, version_id)
);
create index prompt_results_version on prompt_results (version_id);
alter table ai_usage add foreign key (prompt_version_id) references prompt_versions (id) on delete set null;
