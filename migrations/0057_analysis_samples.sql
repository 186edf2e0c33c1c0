-- Which conversations of its filter an analysis reads: all, the newest, or a random choice that its seed repeats.
alter table analysis_runs add column sample jsonb not null default '{"kind": "all"}';
