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
