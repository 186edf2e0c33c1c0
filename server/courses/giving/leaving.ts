import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";

// What follows for a course when the reason ends that a rule or a path was

/** A reason that has ended, with the rule or the path. */
export type EndedReason = { enrolmentId: string; ruleId: string };

/** The course stays, and its reason is that it was kept; nothing if it has another one. */
export const keepCourses = (tx: Tx, ended: EndedReason[]) =>
  sql`
    insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id)
    select distinct on (enrolments.id) enrolments.id, enrolments.company_id, 'kept', ended.rule_id
    from unnest(
      ${ended.map(({ enrolmentId }) => enrolmentId)}::uuid[],
      ${ended.map(({ ruleId }) => ruleId)}::uuid[]
    ) ended (enrolment_id, rule_id)
    join enrolments on enrolments.id = ended.enrolment_id
    where enrolments.status <> 'withdrawn'
      and enrolments.user_id is not null
      and not exists (
        select from enrolment_reasons other
        where other.enrolment_id = enrolments.id
          and other.until is null
      )
    order by enrolments.id, ended.rule_id
    on conflict do nothing`.execute(tx);

/**
 * Withdraws those of these enrolments that nobody has opened and that have no other reason; the others are kept.
 * Returns the withdrawn ones.
 */
export async function withdrawUnstarted(tx: Tx, ended: EndedReason[]): Promise<string[]> {
  if (ended.length === 0) return [];
  const isUnstarted = (ids: string[]) => sql<boolean>`${isOneOf("enrolments.id", ids)}
    and enrolments.status = 'assigned'
    and enrolments.first_started_at is null
    and not exists (
      select from attempts
      where attempts.enrolment_id = enrolments.id
        and not attempts.preview
    )
    and not exists (
      select from enrolment_reasons other
      where other.enrolment_id = enrolments.id
        and other.until is null
    )`;
  const ids = ended.map(({ enrolmentId }) => enrolmentId);
  const unstarted = await tx.selectFrom("enrolments").where(isUnstarted(ids)).select("id").orderBy("id").execute();
  // Sessions first: commits lock an attempt before its enrolment.
  const chosen = unstarted.map(({ id }) => id);
  await endCourseSessions(tx, "enrolmentId", chosen);
  const withdrawn = await tx
    .updateTable("enrolments")
    .set({ status: "withdrawn" })
    .where(isUnstarted(chosen))
    .returning("id")
    .execute();
  await keepCourses(tx, ended);
  return withdrawn.map(({ id }) => id);
}
