-- outside a transaction
-- Who joined or completed a course on a day, for the daily notifications and the lists that they open. An interrupted
-- build leaves an invalid index.
drop index concurrently if exists users_joined_at;
create index concurrently users_joined_at on users (joined_at) where role = 'learner' and joined_at is not null;
drop index concurrently if exists completion_history_recorded;
create index concurrently completion_history_recorded on completion_history (recorded_at);
