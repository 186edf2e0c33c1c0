-- How typical a question is of its group, and which rules made the group: groups of earlier rules that nobody has
-- touched are made anew (server/analysis/questions/questionGrouping.ts).
alter table clustered_questions add column typicality real not null default 0;
alter table question_clusters add column rules smallint not null default 1;
-- Tone is rated only where an analysis asks for it.
alter table analysis_runs add column with_tone boolean not null default false;
