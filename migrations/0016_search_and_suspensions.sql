-- Finds a part of a name or an email address among many people without reading all of them. The extension comes with PostgreSQL and
-- may be created by the owner of the database; where an operator does not allow it, the search works without it, only slower.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_name_trigrams on users using gin (name gin_trgm_ops) with (gin_pending_list_limit = 64);
  create index users_email_trigrams on users using gin (email gin_trgm_ops) with (gin_pending_list_limit = 64);
exception
  when insufficient_privilege or undefined_file or feature_not_supported then
    raise warning 'The extension pg_trgm cannot be created (%), so the search has no index', sqlerrm;
end $$;

-- Whom a step suspended, and when, so that it can be undone without reactivating others. Deleted with the step after a day.
create table undo_suspensions (
  step_id uuid not null references undo_steps (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  suspended_at timestamptz not null,
  primary key (step_id, user_id)
);
create index undo_suspensions_user on undo_suspensions (user_id);
