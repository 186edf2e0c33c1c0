/**
 * SQL condition: the person of an attempt may use it now. The account is active; a learner is in the company of the
 * attempt, the company is active, and the enrolment is not withdrawn. `attempt` is the name of the table in the query.
 * Part of every statement that writes to an attempt, so that nothing is stored once access was revoked.
 */
export const hasAccessTo = (attempt: string) => `exists (
  select from users person
  left join companies company on company.id = person.company_id
  left join enrolments enrolment on enrolment.id = ${attempt}.enrolment_id
  where person.id = ${attempt}.user_id
    and person.status = 'active'
    and (person.role = 'admin' or (person.company_id = ${attempt}.company_id and company.status = 'active'))
    and (${attempt}.preview or enrolment.status <> 'withdrawn'))`;
