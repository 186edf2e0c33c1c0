import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";

// What happens to a course when its reason, a rule or a path, ends

/** An ended reason; `ruleId` is the rule or the path. */
export type EndedReason = { enrolmentId: string; ruleId: string };

/** Gives courses without another reason the reason "kept". */
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
 * Withdraws enrolments that were never opened and have no other reason; keeps the others. Returns the withdrawn ones.
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
