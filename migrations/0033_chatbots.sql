-- A chatbot. What it says and may do is in `settings`: the draft here, and immutable copies in chatbot_versions.
create table chatbots (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'paused', 'archived')),
  settings jsonb not null,
  version integer not null default 1,
  live_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null
);
create index chatbots_name on chatbots (lower(name));
create index chatbots_created_by on chatbots (created_by);

create table chatbot_versions (
  id uuid primary key default gen_random_uuid(),
  chatbot_id uuid not null references chatbots (id) on delete cascade,
  number integer not null,
  name text not null,
  settings jsonb not null,
  note text not null default '',
  published_at timestamptz not null default now(),
  published_by uuid references users (id) on delete set null,
  unique (chatbot_id, number)
);
create index chatbot_versions_published_by on chatbot_versions (published_by);
alter table chatbots add foreign key (live_version_id) references chatbot_versions (id) on delete set null;
create index chatbots_live_version on chatbots (live_version_id);

-- The courses of the live version.
create table chatbot_courses (
  chatbot_id uuid not null references chatbots (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  primary key (chatbot_id, course_id)
);
create index chatbot_courses_course on chatbot_courses (course_id);

-- Questions that are run against the draft or the live version, and the last result of each.
create table chatbot_questions (
  id uuid primary key default gen_random_uuid(),
  chatbot_id uuid not null references chatbots (id) on delete cascade,
  question text not null,
  -- Documents of which one has to be quoted; texts that the answer has to contain.
  document_ids uuid[] not null default '{}',
  facts text[] not null default '{}',
  expects_refusal boolean not null default false,
  result jsonb,
  created_at timestamptz not null default now()
);
create index chatbot_questions_chatbot on chatbot_questions (chatbot_id, created_at);

create table conversations (
  id uuid primary key default gen_random_uuid(),
  chatbot_id uuid not null references chatbots (id) on delete cascade,
  -- Null for the draft, in a preview.
  version_id uuid references chatbot_versions (id) on delete set null,
  user_id uuid references users (id) on delete cascade,
  -- Hash of the visitor's token; a guest has no account.
  visitor text,
  company_id uuid references companies (id) on delete cascade,
  course_id uuid references courses (id) on delete cascade,
  attempt_id uuid references attempts (id) on delete set null,
  session_id uuid references sessions (id) on delete set null,
  title text not null default '',
  is_preview boolean not null default false,
  -- Page of an event, an embedding page, a course, or the chatbot's own page.
  channel text not null default 'page' check (channel in ('page', 'course', 'embed', 'event', 'preview')),
  started_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  -- The scripted scene: where it stands, and whether it has reached an end.
  scene_step text,
  ended_at timestamptz,
  outcome text check (outcome in ('goal', 'ended')),
  questions integer not null default 0,
  -- Hints given for the present question (pedagogy "hints").
  hint_step integer not null default 0,
  check (user_id is null or visitor is null)
);
create index conversations_user on conversations (user_id, last_at desc) where user_id is not null;
create index conversations_visitor on conversations (visitor, last_at desc) where visitor is not null;
create index conversations_chatbot on conversations (chatbot_id, last_at desc);
create index conversations_company on conversations (company_id, last_at desc);
create index conversations_course on conversations (course_id, last_at desc);
create index conversations_version on conversations (version_id);
create index conversations_attempt on conversations (attempt_id);
create index conversations_session on conversations (session_id);
create index conversations_last on conversations (last_at);

-- One message. Turns form a tree: an edited question and a regenerated answer are siblings.
create table turns (
  id uuid primary key,
  conversation_id uuid not null references conversations (id) on delete cascade,
  parent_id uuid references turns (id) on delete cascade,
  -- Order of arrival in the conversation.
  number integer not null,
  role text not null check (role in ('user', 'assistant')),
  -- A question is stored; an answer is waiting, then streaming, and ends in one of the other states.
  state text not null check (state in ('stored', 'waiting', 'streaming', 'done', 'stopped', 'cut', 'failed', 'refused', 'limited', 'care')),
  text text not null default '',
  -- Numbered sources of an answer.
  sources jsonb not null default '[]',
  -- What the person may choose next.
  options jsonb not null default '[]',
  -- Query, passages with scores, instructions: why the answer is as it is. For admins.
  why jsonb,
  code text,
  usage_id uuid,
  connector text,
  model text,
  tokens_in integer,
  tokens_out integer,
  cost_micros bigint,
  button_id uuid,
  hint_step integer,
  give_away text check (give_away in ('hint', 'partial', 'full')),
  created_at timestamptz not null default now(),
  first_at timestamptz,
  finished_at timestamptz,
  -- Until when the node that writes the answer says that it lives.
  leased_until timestamptz,
  stop_requested boolean not null default false,
  rating text check (rating in ('up', 'down')),
  rating_reason text,
  rating_text text not null default '',
  unique (conversation_id, number)
);
create index turns_parent on turns (parent_id);
create index turns_open on turns (leased_until) where state in ('waiting', 'streaming');
create index turns_created on turns (created_at);

-- Values that a conversation has set name their turn.
alter table variable_values add column turn_id uuid references turns (id) on delete set null;
create index variable_values_turn on variable_values (turn_id) where turn_id is not null;
alter table variable_values drop constraint variable_values_source_check;
alter table variable_values add check (source in ('content', 'mapping', 'package', 'correction', 'learner', 'api', 'flow', 'chat'));
