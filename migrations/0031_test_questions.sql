-- A question that a document must answer; asked of each new version before it goes live.
create table test_questions (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references documents (id) on delete cascade,
  question text not null,
  -- Words that the passages found first must contain
  expected text not null,
  -- Facts that they must contain besides, one a line
  facts text[] not null default '{}',
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null
);
create index test_questions_document on test_questions (document_id);
create index test_questions_created_by on test_questions (created_by);

create table test_results (
  question_id uuid not null references test_questions (id) on delete cascade,
  version_id uuid not null references document_versions (id) on delete cascade,
  -- Rank of the first passage with the expected words; null if it is not among those found
  rank integer,
  missing text[] not null default '{}',
  tested_at timestamptz not null default now(),
  primary key (question_id, version_id)
);
create index test_results_version on test_results (version_id);
