-- An analysis reads fewer conversations at once after an answer that could not be read, and passes over a single one.
alter table analysis_runs
  add column batch_size integer not null default 15,
  add column unread_ids uuid[] not null default '{}';
