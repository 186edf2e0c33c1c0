-- The reasons of the enrolments that there were before, from their source. A migration of its own: the triggers of 0132
-- lock the enrolments only for a moment.
insert into enrolment_reasons (enrolment_id, company_id, kind, since, made_by, until, ended)
select id, company_id, reason_of_enrolment(source, assigned_by), assigned_at, assigned_by,
  case when status = 'withdrawn' then greatest(now(), assigned_at) end,
  case when status = 'withdrawn' then 'withdrawn' end
from enrolments
where user_id is not null
  and not exists (
    select from enrolment_reasons
    where enrolment_reasons.enrolment_id = enrolments.id
  )
on conflict do nothing;
