-- Until when an analysis has taken conversations. When it began stays as it is.
alter table analysis_runs add column read_until timestamptz not null default now();
update analysis_runs set read_until = created_at;
