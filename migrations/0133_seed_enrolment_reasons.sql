-- outside a transaction
-- The reasons of the enrolments that there were before, from their source; in batches, each in its own transaction.
do $$
declare
  after uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    with batch as (
      select id, company_id, source, assigned_at, assigned_by, status, user_id
      from enrolments
      where id > after
      order by id
      limit 10000
    ),
    seeded as (
      insert into enrolment_reasons (enrolment_id, company_id, kind, since, made_by, until, ended)
      select id, company_id, reason_of_enrolment(source, assigned_by), assigned_at, assigned_by,
        case when status = 'withdrawn' then greatest(now(), assigned_at) end,
        case when status = 'withdrawn' then 'withdrawn' end
      from batch
      where user_id is not null
        and not exists (
          select from enrolment_reasons
          where enrolment_reasons.enrolment_id = batch.id
        )
      on conflict do nothing
    )
    select id into after
    from batch
    order by id desc
    limit 1;
    exit when after is null;
    commit;
  end loop;
end
$$;
