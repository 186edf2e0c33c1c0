-- How typical a question is of its group, and which rules made the group: groups of earlier rules that nobody has
-- touched are made anew (server/analysis/questions/questionGrouping.ts).
alter table clustered_questions add column typicality real not null default 0;
alter table question_clusters add column rules smallint not null default 1;
-- Tone is rated only where an analysis asks for it.
alter table analysis_runs add column with_tone boolean not null default false;
-- Vectors of unanswered questions, made while an embedding model is connected.
create table question_vectors (
  question_id uuid not null references turns(id) on delete cascade,
  connector_id text not null,
  model text not null,
  size integer not null,
  vector bytea not null,
  primary key (question_id, connector_id, model, size)
);
