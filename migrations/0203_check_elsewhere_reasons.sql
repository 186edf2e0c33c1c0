-- outside a transaction
alter table enrolment_reasons validate constraint enrolment_reasons_every_kind;
-- Completions from elsewhere were said to come with an import of people. In batches, so that nobody waits for long.
do $$
declare
  after uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
begin
  loop
    select array_agg(id order by id) into batch
    from (
      select id
      from external_completions
      where id > after
      order by id
      limit 2000
    ) next;
    exit when batch is null;
    update enrolment_reasons
    set kind = 'elsewhere'
    from external_completions
    join attempts on attempts.id = external_completions.attempt_id
    where external_completions.id = any(batch)
      and (external_completions.before ->> 'isNew')::boolean
      and enrolment_reasons.enrolment_id = attempts.enrolment_id
      and enrolment_reasons.kind = 'import';
    after := batch[cardinality(batch)];
    commit;
  end loop;
end $$;
