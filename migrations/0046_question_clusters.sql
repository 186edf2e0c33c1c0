-- Questions that a chatbot did not answer, grouped. A group holds no text: what it is about stands in its turns, and goes with them.
create table question_clusters (
  id uuid primary key default gen_random_uuid(),
  chatbot_id uuid not null references chatbots (id) on delete cascade,
  -- An open one with an owner is assigned.
  status text not null default 'open' check (status in ('open', 'answered', 'dismissed')),
  owner_id uuid references users (id) on delete set null,
  -- Where the answer stands, the version that brought it, and the question that tests it.
  document_id uuid references documents (id) on delete set null,
  answer_version_id uuid references document_versions (id) on delete set null,
  test_question_id uuid references test_questions (id) on delete set null,
  answered_at timestamptz,
  answered_by uuid references users (id) on delete set null,
  -- When it was asked again without an answer, after it had been answered.
  reopened_at timestamptz,
  created_at timestamptz not null default now()
);
create index question_clusters_chatbot on question_clusters (chatbot_id);
create index question_clusters_owner on question_clusters (owner_id);
create index question_clusters_answered_by on question_clusters (answered_by);
create index question_clusters_document on question_clusters (document_id);
create index question_clusters_answer_version on question_clusters (answer_version_id);
create index question_clusters_test_question on question_clusters (test_question_id);

-- The answers "I do not know" of a group.
create table clustered_questions (
  turn_id uuid primary key references turns (id) on delete cascade,
  cluster_id uuid not null references question_clusters (id) on delete cascade,
  asked_at timestamptz not null
);
create index clustered_questions_cluster on clustered_questions (cluster_id, asked_at);

create index turns_refused on turns (created_at, id) where state = 'refused';
