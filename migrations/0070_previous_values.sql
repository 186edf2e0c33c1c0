-- outside a transaction
-- An export looks up the preceding value of each value, by the time it happened. An interrupted build leaves an invalid
-- index.
drop index concurrently if exists variable_values_previous;
create index concurrently variable_values_previous
  on variable_values (user_id, variable_id, preview, happened_at, (coalesce(corrects, id)))
  where refusal is null and not is_corrected and deletion_id is null;
