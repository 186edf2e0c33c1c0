-- outside a transaction
alter table enrolment_reasons validate constraint enrolment_reasons_every_kind;
-- Completions from elsewhere were said to come with an import of people.
update enrolment_reasons
set kind = 'elsewhere'
from external_completions
join attempts on attempts.id = external_completions.attempt_id
where (external_completions.before ->> 'isNew')::boolean
  and enrolment_reasons.enrolment_id = attempts.enrolment_id
  and enrolment_reasons.kind = 'import';
