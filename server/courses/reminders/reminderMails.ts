import { sql } from "kysely";
import { z } from "zod";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import { nameWithNumber, reminderMail, teamReminderMail } from "#server/courses/mails.ts";
import { canBeReminded } from "#server/courses/reminders/reminderRows.ts";
import { enqueueMail } from "#server/mails/service.ts";

/** Number of people who are emailed in one transaction. */
const BATCH = 50;

const reminders = z.object({
  courseId: z.uuid(),
  companyId: z.uuid(),
  at: z.string(),
  actorId: z.string().nullable().default(null),
});
type Reminders = z.output<typeof reminders>;

/** Enrolments that were marked at this time, are still overdue and have no email yet. */
const selectMarked = (tx: Tx, { courseId, companyId, at }: Reminders) =>
  tx
    .selectFrom("enrolments")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .innerJoin("users", "users.id", "enrolments.userId")
    .where("enrolments.courseId", "=", courseId)
    .where("enrolments.companyId", "=", companyId)
    .where("enrolments.remindedAt", "=", at)
    .where(isOverdue)
    .where(canBeReminded)
    .where(
      sql<boolean>`not exists (
        select from reminder_log
        where reminder_log.enrolment_id = enrolments.id
          and reminder_log.happened_at = ${at}
      )`,
    );

/**
 * Writes the emails of marked enrolments. Each batch logs its people in the transaction of its mails, so that an
 * interrupted job emails nobody twice.
 */
export const mailReminders = job("courses:sendReminders", reminders, async (services, marked) => {
  while ((await inTransaction(services.db, (tx) => mailBatch(services, tx, marked))) === BATCH)
    services.log.debug({ courseId: marked.courseId }, "reminders queued");
});

async function mailBatch(services: Services, tx: Tx, marked: Reminders) {
  const { courseId, companyId, at, actorId } = marked;
  const people = await selectMarked(tx, marked)
    .leftJoin("users as contact", (join) =>
      join.on(sql<boolean>`contact.id = case when users.email is null then mail_manager_of(users.id) end`),
    )
    .orderBy("enrolments.id")
    .limit(BATCH)
    .forUpdate(["enrolments"])
    .select(["enrolments.id", "enrolments.userId", "users.email", "users.name", "courses.title"])
    .select(["companies.name as company", "companies.color", "enrolments.dueDate"])
    .select(["contact.id as managerId", "contact.name as manager", "contact.email as managerEmail"])
    .select(personnelNumber.as("number"))
    .execute();
  const groups = Map.groupBy(people, ({ id, managerId }) => managerId ?? id);
  for (const group of groups.values()) {
    const first = group[0] as Reminded;
    const mail = first.managerId === null ? mailTo(services, first) : mailToManager(services, group);
    const sent = await enqueueMail(services, tx, { companyId, reason: "courses.reminded", ...mail });
    await tx
      .insertInto("reminderLog")
      .values(
        group.map(({ id, userId, dueDate }) => ({
          enrolmentId: id,
          personId: userId as string,
          companyId,
          courseId,
          step: "overdue" as const,
          dueDate,
          mailId: sent.id,
          wasQueued: sent.isQueued,
          // Read again, because the id of an admin who was erased meanwhile must not be stored.
          actorId: sql<string | null>`(select id from users where id = ${actorId} for key share)`,
          reason: "courses.remind",
          happenedAt: at,
        })),
      )
      .execute();
  }
  return people.length;
}

type Reminded = {
  userId: string | null;
  email: string | null;
  name: string;
  number: string | null;
  title: string;
  company: string;
  color: string | null;
  dueDate: string | null;
  managerId: string | null;
  manager: string | null;
  managerEmail: string | null;
};

const mailTo = ({ config }: Services, { email, userId, dueDate, ...person }: Reminded) => ({
  recipient: email as string,
  userId,
  ...reminderMail({ ...person, due: dueDate as string, link: `${config.publicUrl}/my-courses` }),
});

/** One email to a manager about all people whom it reaches through them. */
const mailToManager = ({ config }: Services, people: Reminded[]) => {
  const { managerEmail, managerId, manager, title, company, color } = people[0] as Reminded;
  return {
    recipient: managerEmail as string,
    userId: managerId,
    ...teamReminderMail({
      manager: manager ?? "",
      company,
      color,
      title,
      people: people.map(({ name, number, dueDate }) => ({
        person: nameWithNumber(name, number),
        title,
        due: dueDate,
      })),
      link: `${config.publicUrl}/team`,
    }),
  };
};
