-- What an admin scores of a conversation by the criteria of its chatbot, before reading the feedback of a model. Empty if they chose to
-- read it without scoring. A list of {id, value}, value from 1 to 5.
create table rubric_scores (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references conversations (id) on delete cascade,
  reviewer_id uuid references users (id) on delete set null,
  scores jsonb not null,
  created_at timestamptz not null default now(),
  unique (conversation_id, reviewer_id)
);
create index rubric_scores_reviewer on rubric_scores (reviewer_id);
