-- A statement is deleted with its last quote: its words may be about the person who was erased.
create function remove_unquoted_statements() returns trigger language plpgsql as $$
declare ids bigint[];
begin
  select array_agg(distinct statement_id) into ids from old_rows;
  -- Two transactions that each delete one of the last two quotes wait for each other.
  perform from analysis_statements where id = any(ids) order by id for update;
  delete from analysis_statements s where s.id = any(ids) and not exists (select from analysis_quotes q where q.statement_id = s.id);
  return null;
end $$;
create trigger analysis_quotes_removed after delete on analysis_quotes referencing old table as old_rows
  for each statement execute function remove_unquoted_statements();

delete from analysis_statements s where not exists (select from analysis_quotes q where q.statement_id = s.id);
