import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { job } from "#server/core/jobs.ts";
import { notFound } from "#server/core/http/problem.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import { undoReasons } from "#server/courses/reasons.ts";
import type { User } from "#shared/core/users.ts";

/** How long a bulk change can be undone. */
const UNDO_TIME = "1 day";

/** Starts a step: the caller then stores its changes under this id, in the same transaction. */
export async function createUndoStep(tx: Tx, user: User) {
  const { id } = await tx.insertInto("undoSteps").values({ madeBy: user.id }).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Stores enrolments as they are, before they are changed. */
export const storeEnrolments = (tx: Tx, stepId: string, enrolmentIds: string[]) =>
  sql`
    insert into undo_enrolments (step_id, enrolment_id, status, due_date)
    select ${stepId}, id, status, due_date
    from enrolments
    where ${isOneOf("id", enrolmentIds)}
    on conflict do nothing`.execute(tx);

/** Stores that a step created these enrolments. */
export const storeNewEnrolments = (tx: Tx, stepId: string, enrolmentIds: string[]) =>
  sql`
    insert into undo_enrolments (step_id, enrolment_id)
    select ${stepId}, unnest(${enrolmentIds}::uuid[])
    on conflict do nothing`.execute(tx);

/** Stores for each company whether it has the course, and the due date, before a change. */
export const storeCompanyCourses = (tx: Tx, stepId: string, courseId: string, companyIds: string[]) =>
  sql`
    insert into undo_company_courses (step_id, company_id, course_id, existed, due_date)
    select ${stepId}, companies.id, ${courseId}, assigned.course_id is not null, assigned.due_date
    from companies
    left join company_courses assigned
      on assigned.company_id = companies.id
      and assigned.course_id = ${courseId}
    where ${isOneOf("companies.id", companyIds)}
    on conflict do nothing`.execute(tx);

/** Marks a step as undone. Throws 404 unless this user made it within the last day and has not undone it. */
export const claimUndoStep = (tx: Tx, user: User, id: string) =>
  tx
    .updateTable("undoSteps")
    .set({ undoneAt: new Date().toISOString() })
    .where("id", "=", id)
    .where("madeBy", "=", user.id)
    .where("undoneAt", "is", null)
    .where("madeAt", ">", sql<string>`now() - ${UNDO_TIME}::interval`)
    .returning("madeAt")
    .executeTakeFirstOrThrow(notFound);

/**
 * Undoes a step of the last day, once, for the person who made it. Enrolments that a later step changed, and completed
 * courses, remain as they are. Returns the number of enrolments changed back.
 */
export const undoStep = (ctx: Ctx<User>, id: string) => repeatOnDeadlock(() => undoOnce(ctx, id));

/** SQL: a rule or path gives the course as well, or the learner took it themselves, and it stays. */
const isGivenByRule = (enrolmentId: RawBuilder<unknown>) => sql<boolean>`exists (
    select from enrolment_reasons given
    where given.enrolment_id = ${enrolmentId}
      and given.until is null
      and given.kind in ('rule', 'path', 'self')
  )`;

async function undoOnce(ctx: Ctx<User>, id: string) {
  return inTransaction(ctx.db, async (tx) => {
    const step = await claimUndoStep(tx, ctx.user, id);
    // Sessions of enrolments that are about to be withdrawn end first, because commits lock in this order.
    const { rows: ended } = await sql<{ id: string }>`
      select enrolment_id as id
      from undo_enrolments before
      where step_id = ${id}
        and (before.status is null or before.status = 'withdrawn')
        and not ${isGivenByRule(sql.ref("before.enrolment_id"))}`.execute(tx);
    await endCourseSessions(
      tx,
      "enrolmentId",
      ended.map((row) => row.id),
    );
    const { rows } = await sql<{ userId: string; courseId: string }>`
      update enrolments
      -- A course that has opened again since has a new day of assignment, and its own due date.
      set due_date = case
          when before.status is null or enrolments.assigned_at > ${step.madeAt} then enrolments.due_date
          else before.due_date
        end,
        status = case
          when before.status is null or before.status = 'withdrawn'
            then case
              when enrolments.status = 'completed' or enrolments.first_attempt > 1 then enrolments.status
              else 'withdrawn'
            end
          when enrolments.status = 'withdrawn' then before.status
          else enrolments.status
        end
      from undo_enrolments before
      where before.step_id = ${id}
        and enrolments.id = before.enrolment_id
        and not (before.status is null and ${isGivenByRule(sql.ref("enrolments.id"))})
        and not exists (
          select from undo_enrolments newer
          join undo_steps on undo_steps.id = newer.step_id
          where newer.enrolment_id = enrolments.id
            and undo_steps.made_at > ${step.madeAt}
            and undo_steps.undone_at is null)
      returning enrolments.user_id, enrolments.course_id`.execute(tx);
    await undoReasons(tx, id);
    await sql`
      delete from company_courses
      using undo_company_courses before
      where before.step_id = ${id}
        and not before.existed
        and company_courses.company_id = before.company_id
        and company_courses.course_id = before.course_id`.execute(tx);
    await sql`
      insert into company_courses (company_id, course_id, due_date, assigned_by)
      select company_id, course_id, due_date, ${ctx.user.id}
      from undo_company_courses
      where step_id = ${id}
        and existed
      on conflict (company_id, course_id) do update set due_date = excluded.due_date`.execute(tx);
    for (const [courseId, changed] of Map.groupBy(rows, ({ courseId }) => courseId))
      await record(tx, ctx, { action: "courses.undo", courseId, people: changed.map(({ userId }) => userId) });
    return { changed: rows.length };
  });
}

/** Nightly: deletes steps that can no longer be undone. */
export const deleteUndoSteps = job(
  "courses:deleteUndoSteps",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("undoSteps")
      .where("madeAt", "<", sql<string>`now() - ${UNDO_TIME}::interval`)
      .execute();
  },
  "40 3 * * *",
);
