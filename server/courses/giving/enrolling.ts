import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { STATUS_BEFORE_WITHDRAWAL } from "#server/courses/bulkChanges.ts";
import { isLeftToRules, withReason } from "#server/courses/reasons.ts";
import { storeNewEnrolments } from "#server/courses/undo.ts";

// Enrolments by rules and paths, which write the reasons themselves

/** Delay of emails, as for assignments. If an enrolment is withdrawn in this time, no email is sent about it. */
const NOTIFY_DELAY_MS = 10_000;

/**
 * Enrols people in courses, and restores withdrawn enrolments unless an admin withdrew them. `wanted`: SQL that selects
 * `user_id`, `company_id`, `course_id` and `due_date`, each course of a person once; `userIds`: the people in it.
 * Returns the ids of new and restored enrolments.
 */
export const enrolWanted = (tx: Tx, userIds: string[], wanted: RawBuilder<unknown>): Promise<string[]> =>
  withReason(tx, "rule", async () => [
    ...(await addEnrolments(tx, userIds, wanted)),
    ...(await restoreEnrolments(tx, userIds, wanted)),
  ]);

async function addEnrolments(tx: Tx, userIds: string[], wanted: RawBuilder<unknown>) {
  // Materialized: with old statistics of a table that has just grown, the plan would search all enrolments of a course
  // for each person.
  const { rows } = await sql<{ id: string }>`
    with had as materialized (
      select user_id, course_id, max(cycle) as cycle, array_agg(company_id) as companies
      from enrolments
      where ${isOneOf("user_id", userIds)}
      group by user_id, course_id
    )
    insert into enrolments (user_id, company_id, course_id, source, due_date, cycle)
    select wanted.user_id, wanted.company_id, wanted.course_id, 'company', wanted.due_date, coalesce(had.cycle, 0) + 1
    from (${wanted}) wanted
    -- People who have just moved are left to the rules and paths of their new company.
    join users on users.id = wanted.user_id
      and users.company_id = wanted.company_id
      and users.role = 'learner'
    left join had on had.user_id = wanted.user_id and had.course_id = wanted.course_id
    where had.cycle is null or wanted.company_id <> all(had.companies)
    order by wanted.user_id, wanted.course_id
    on conflict (user_id, course_id, cycle) do nothing
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function restoreEnrolments(tx: Tx, userIds: string[], wanted: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: string }>`
    with mine as materialized (
      select id, user_id, course_id, company_id
      from enrolments
      where ${isOneOf("user_id", userIds)}
        and status = 'withdrawn'
    )
    update enrolments
    set status = ${STATUS_BEFORE_WITHDRAWAL}, due_date = wanted.due_date
    from mine
    join (${wanted}) wanted
      on wanted.user_id = mine.user_id
      and wanted.course_id = mine.course_id
      and wanted.company_id = mine.company_id
    where enrolments.id = mine.id
      and enrolments.status = 'withdrawn'
      and ${isLeftToRules}
    returning enrolments.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Ends the reasons "kept" that new reasons replace, and the new reasons of enrolments that an admin has withdrawn at
 * the same time. Inserting a reason waits for such a withdrawal, so the admin's decision holds.
 */
export const settleNewReasons = (tx: Tx, enrolmentIds: string[]) =>
  sql`
    update enrolment_reasons
    set until = now(), ended = 'replaced'
    from enrolments
    where ${isOneOf("enrolment_reasons.enrolment_id", enrolmentIds)}
      and enrolments.id = enrolment_reasons.enrolment_id
      and enrolment_reasons.until is null
      and (
        enrolment_reasons.kind = 'kept'
        or (enrolment_reasons.kind in ('rule', 'path') and enrolments.status = 'withdrawn')
      )`.execute(tx);

/** Orders one email to each person about all their new enrolments. */
export async function notifyEnrolled(tx: Tx, enrolmentIds: string[]) {
  if (enrolmentIds.length === 0) return;
  const { id } = await tx.insertInto("undoSteps").values({ madeBy: null }).returning("id").executeTakeFirstOrThrow();
  await storeNewEnrolments(tx, id, enrolmentIds);
  await notifyAssigned.enqueue(tx, { stepId: id }, { runAt: new Date(Date.now() + NOTIFY_DELAY_MS) });
}
