import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { badField } from "#server/core/http/problem.ts";

/**
 * Stores which courses have to be completed before a course. Refuses unknown courses and cycles. Call under the lock of
 * the company, so that no cycle forms between two changes.
 */
export async function storePrerequisites(tx: Tx, companyId: string, courseId: string, requires: string[]) {
  const { rows: known } = await sql<{ id: string }>`
    select id
    from courses
    where id = any(${requires}::uuid[])
      and (
        status = 'published'
        -- One that was published when it was chosen stays.
        or exists (
          select from catalogue_prerequisites
          where company_id = ${companyId}
            and course_id = ${courseId}
            and required_id = courses.id
        )
      )`.execute(tx);
  if (known.length < requires.length) throw badField("terms.requires", "catalogue.unknownCourse");
  if (requires.includes(courseId) || (await isRequiredBy(tx, companyId, courseId, requires)))
    throw badField("terms.requires", "catalogue.cycle");
  await sql`
    delete from catalogue_prerequisites
    where company_id = ${companyId}
      and course_id = ${courseId}
      and required_id <> all(${requires}::uuid[])`.execute(tx);
  await sql`
    insert into catalogue_prerequisites (company_id, course_id, required_id)
    select ${companyId}, ${courseId}, unnest(${requires}::uuid[])
    on conflict do nothing`.execute(tx);
}

/** True if one of these courses needs the course itself, directly or through others. */
async function isRequiredBy(tx: Tx, companyId: string, courseId: string, requires: string[]) {
  const { rows } = await sql`
    with recursive needed (id) as (
      select unnest(${requires}::uuid[])
      union
      select required_id
      from needed
      join catalogue_prerequisites on catalogue_prerequisites.company_id = ${companyId}
        and catalogue_prerequisites.course_id = needed.id
    )
    select
    from needed
    where id = ${courseId}
    limit 1`.execute(tx);
  return rows.length > 0;
}
