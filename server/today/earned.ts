import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Person } from "#server/outlook/person.ts";
import { readCompletions } from "#server/transcripts/completions.ts";
import type { EarnedItem } from "#shared/today/today.ts";

/** Courses and learning paths that the person has completed since a day, the newest first. */
export async function listEarned(db: Db, person: Person, since: string): Promise<EarnedItem[]> {
  const { id: personId, companyId, zone } = person;
  const completions = await readCompletions(db, { personId, companyId, zone, since });
  const courses = completions.map(
    ({ courseId, course, completedOn, success, scorePercent, validUntil, certificate }): EarnedItem => ({
      kind: "course",
      id: courseId,
      title: course,
      completedOn,
      success,
      scorePercent,
      validUntil,
      certificate,
    }),
  );
  const paths = await readCompletedPaths(db, person, since);
  return [...paths, ...courses].toSorted((a, b) => b.completedOn.localeCompare(a.completedOn));
}

/** The learning paths that the person has completed since a day, with their certificates. */
async function readCompletedPaths(db: Db, { id, companyId, zone }: Person, since: string) {
  const { rows } = await sql<Pick<EarnedItem, "title" | "completedOn" | "validUntil" | "certificate"> & { id: string }>`
    select completed.id, completed.title, completed.completed_on::text, certificate.number as certificate,
      certificate.valid_until::text
    from (
      select path_enrolments.id as enrolment_id, paths.id, paths.title,
        (path_enrolments.completed_at at time zone ${zone})::date as completed_on
      from path_enrolments
      join paths on paths.id = path_enrolments.path_id
      where path_enrolments.user_id = ${id}
        and path_enrolments.company_id = ${companyId}
        and path_enrolments.withdrawn_at is null
        and path_enrolments.completed_at is not null
    ) completed
    left join lateral (
      select certificates.number, certificates.valid_until
      from certificates
      where certificates.path_enrolment_id = completed.enrolment_id
        and certificates.revoked_at is null
      order by certificates.issued_at desc
      limit 1
    ) certificate on true
    where completed.completed_on >= ${since}::date
    order by completed.completed_on desc, completed.id`.execute(db);
  return rows.map((row): EarnedItem => ({ kind: "path", success: "unknown", scorePercent: null, ...row }));
}
