-- outside a transaction
-- The requirements of people that there were before their history; in batches, each in its own transaction. A row that
-- somebody is changing is waited for, and read as it is then.
do $$
declare
  after uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
begin
  loop
    select array_agg(enrolment_id order by enrolment_id) into batch
    from (
      select enrolment_id
      from requirements
      where enrolment_id > after
      order by enrolment_id
      limit 2000
    ) next;
    exit when batch is null;
    insert into requirement_history (
      enrolment_id, company_id, course_id, is_required, since, completed_on, valid_until, opens_on, opened_on,
      recorded_at, backfilled
    )
    select
      enrolment_id, company_id, course_id, true, since, completed_on, valid_until, opens_on, opened_on,
      clock_timestamp(), true
    from (
      select *
      from requirements
      where enrolment_id = any(batch)
        and not exists (
          select from requirement_history
          where requirement_history.enrolment_id = requirements.enrolment_id
        )
      order by enrolment_id
      for share of requirements
    ) standing;
    after := batch[cardinality(batch)];
    commit;
  end loop;
end $$;
