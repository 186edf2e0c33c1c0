-- Feedback of a model on a conversation: ids of turns and quotes found in them, by criterion.
create table conversation_feedback (
  conversation_id uuid primary key references conversations (id) on delete cascade,
  content jsonb not null,
  model text not null,
  created_at timestamptz not null default now(),
  -- What the learner has said about it.
  objection text not null default '',
  objected_at timestamptz
);
