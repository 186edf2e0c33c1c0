import { sql } from "kysely";
import { z } from "zod";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { job } from "#server/core/jobs.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import { reminderMail } from "#server/courses/mails.ts";
import { enqueueMail } from "#server/mails/service.ts";
import type { courses } from "#shared/courses/courses.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Nobody is reminded of the same course twice within this time. */
const PAUSE = "20 hours";
/** People who are mailed in one transaction. */
const BATCH = 50;

/** Overdue enrolments of people who can take the course and were not reminded shortly before `at`. */
const isDueForReminder = (courseId: string, companyId: string | null, at: string) =>
  sql<boolean>`enrolments.course_id = ${courseId}
    and (${companyId}::uuid is null or enrolments.company_id = ${companyId})
    and ${isOverdue}
    and companies.status = 'active'
    and users.status <> 'suspended'
    and users.company_id = enrolments.company_id
    and coalesce(enrolments.reminded_at < ${at}::timestamptz - ${PAUSE}::interval, true)`;

/** Reminds the learners who are overdue in a course by email, at most once in 20 hours. Returns their number. */
export async function remindOverdue(ctx: Ctx<User>, courseId: string, body: BodyOf<typeof courses.remind>) {
  const companyId = body.companyId ?? null;
  const at = new Date().toISOString();
  return inTransaction(ctx.db, async (tx) => {
    const people = await selectOverdue(tx)
      .where(isDueForReminder(courseId, companyId, at))
      .where(inScope(ctx.user, { company: "enrolments.companyId" }))
      .select(["users.id", "enrolments.companyId"])
      .execute();
    for (const id of new Set(people.map((person) => person.companyId)))
      await sendReminders.enqueue(tx, { courseId, companyId: id, at, actorId: ctx.user.id });
    await record(tx, ctx, { action: "courses.remind", people: people.map(({ id }) => id), companyId, courseId });
    return { changed: people.length };
  });
}

const selectOverdue = (tx: Tx) =>
  tx
    .selectFrom("enrolments")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .innerJoin("users", "users.id", "enrolments.userId");

/**
 * Each batch marks and logs its people in the transaction of its mails, so that an interrupted job mails nobody twice.
 */
export const sendReminders = job(
  "courses:sendReminders",
  z.object({ courseId: z.uuid(), companyId: z.uuid(), at: z.string(), actorId: z.string().nullable().default(null) }),
  async (services, { courseId, companyId, at, actorId }) => {
    const sendBatch = () =>
      inTransaction(services.db, async (tx) => {
        const people = await selectOverdue(tx)
          .where(isDueForReminder(courseId, companyId, at))
          .orderBy("enrolments.id")
          .limit(BATCH)
          .forUpdate(["enrolments"])
          .select(["enrolments.id", "enrolments.userId", "users.email", "users.name", "courses.title"])
          .select(["companies.name as company", "companies.color", "enrolments.dueDate"])
          .execute();
        for (const { id, userId, email, dueDate, ...person } of people) {
          const mail = reminderMail({
            ...person,
            due: dueDate as string,
            link: `${services.config.publicUrl}/my-courses`,
          });
          const sent = await enqueueMail(services, tx, {
            recipient: email,
            userId,
            companyId,
            reason: "courses.reminded",
            ...mail,
          });
          await tx
            .insertInto("reminderLog")
            .values({
              enrolmentId: id,
              personId: userId as string,
              companyId,
              courseId,
              step: "overdue",
              dueDate,
              mailId: sent.id,
              wasQueued: sent.isQueued,
              // Read again, because the id of an admin who was erased meanwhile must not be stored.
              actorId: sql<string | null>`(select id from users where id = ${actorId} for key share)`,
              reason: "courses.remind",
              happenedAt: at,
            })
            .execute();
          await tx.updateTable("enrolments").set({ remindedAt: at }).where("id", "=", id).execute();
        }
        return people.length;
      });
    while ((await sendBatch()) === BATCH) services.log.debug({ courseId }, "reminders queued");
  },
);
