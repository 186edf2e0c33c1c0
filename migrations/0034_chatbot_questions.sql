-- A question with which admins test a chatbot: what the answer should quote and say, or that there should be none.
create table chatbot_questions (
  id uuid primary key default gen_random_uuid(),
  chatbot_id uuid not null references chatbots (id) on delete cascade,
  question text not null,
  -- Documents of which the answer quotes at least one each
  document_ids uuid[] not null default '{}',
  -- Texts that the answer contains, ignoring case
  facts text[] not null default '{}',
  expects_refusal boolean not null default false,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null
);
create index chatbot_questions_chatbot on chatbot_questions (chatbot_id, created_at);
create index chatbot_questions_created_by on chatbot_questions (created_by);

-- The latest result of each question with the draft and with the live version.
create table chatbot_question_results (
  question_id uuid not null references chatbot_questions (id) on delete cascade,
  tested text not null check (tested in ('draft', 'live')),
  passed boolean not null,
  -- Whether the run before passed
  passed_before boolean,
  answer text not null,
  missing text[] not null default '{}',
  tested_at timestamptz not null default now(),
  primary key (question_id, tested)
);
