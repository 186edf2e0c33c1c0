-- outside a transaction
-- The value that counted before a value is looked up for each that is exported, in the order of happening. A build that was interrupted leaves
-- an index that is not valid.
drop index concurrently if exists variable_values_previous;
create index concurrently variable_values_previous
  on variable_values (user_id, variable_id, preview, happened_at, (coalesce(corrects, id)))
  where refusal is null and not is_corrected and deletion_id is null;
