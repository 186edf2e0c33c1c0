import { sql } from "kysely";

/**
 * SQL: the certificate of a course is the one that counts: not withdrawn, and its person has no later one for the
 * course, such as its replacement or a renewal.
 */
export const isCurrent = sql<boolean>`(
  certificates.revoked_at is null
  and not exists (
    select from certificates later
    where later.person_id = certificates.person_id
      and later.course_id = certificates.course_id
      and later.company_id = certificates.company_id
      and later.revoked_at is null
      and (later.completed_on, later.issued_at, later.id)
        > (certificates.completed_on, certificates.issued_at, certificates.id)
  )
)`;
