import { sql } from "kysely";
import { sendReminders } from "#server/reminders/sending.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { reminders, type ReminderStep, type ReminderTerms } from "#shared/reminders/reminders.ts";
import { bodyOf } from "#test/probes.ts";
import { dayIn } from "#test/requirements.ts";
import type { Person, start } from "#test/start.ts";

export const step = (kind: ReminderStep["kind"], days: number, to: "learner" | "manager" | "both" = "learner") => ({
  kind,
  days,
  toLearner: to !== "manager",
  toManager: to !== "learner",
});
/** On, at any hour of any day, with these steps. */
export const everyDay = (...steps: ReminderStep[]): ReminderTerms => ({
  isOn: true,
  hour: 0,
  skipsWeekends: false,
  steps,
});

/** Sets plans, moves assignments and due dates, and sends what is due. */
export function createReminderTester({ as, make, services, db }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const call = as(admin);
  const work = () => sendReminders.run(services, {});
  /** A company in a zone with a published course that everyone there has, assigned a year ago. */
  const room = async (names: string[], timezone = "UTC") => {
    const company = await make.company(admin, { timezone });
    const course = await make.course(admin);
    bodyOf(await call(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } }));
    const people: Person[] = [];
    for (const name of names) people.push(await make.learner(company.accessCode, name));
    await sql`
      update enrolments
      set assigned_at = now() - interval '1 year'
      where company_id = ${company.id}`.execute(db);
    return { company, course, people };
  };
  const setDue = async (person: Person, courseId: string, inDays: number | null) =>
    bodyOf(
      await call(courses.setDue, {
        params: { id: courseId },
        body: { userIds: [person.user.id], dueDate: inDays === null ? null : dayIn(inDays) },
      }),
    );
  const planOf = async (companyId: string) => bodyOf(await call(reminders.plan, { params: { id: companyId } }));
  /** Saves the plan as if it had been switched on a month ago, so that steps of the last days count. */
  const savePlan = async (companyId: string, terms: ReminderTerms) => {
    const { version } = await planOf(companyId);
    const saved = bodyOf(await call(reminders.save, { params: { id: companyId }, body: { terms, version } }));
    await db
      .updateTable("reminderPlans")
      .set({ startsOn: dayIn(-30) })
      .where("companyId", "=", companyId)
      .execute();
    return saved;
  };
  /** Sends again, as on another day. */
  const workAgain = async (companyId: string) => {
    await db.updateTable("reminderPlans").set({ plannedOn: null }).where("companyId", "=", companyId).execute();
    await work();
  };
  const previewOf = async (companyId: string, terms: ReminderTerms, day: string | null = null) =>
    bodyOf(await call(reminders.preview, { params: { id: companyId }, body: { terms, day, size: 200 } }));
  const logOf = async (companyId: string, query = {}) =>
    bodyOf(await call(reminders.list, { params: { id: companyId }, query })).items;
  const mailsOf = (companyId: string) =>
    db
      .selectFrom("mails")
      .where("companyId", "=", companyId)
      .where("reason", "=", "reminders.sent")
      .orderBy("createdAt")
      .select(["recipient", "userId", "subject", "body"])
      .execute();
  const lead = async (manager: Person, ...people: Person[]) =>
    bodyOf(
      await call(learners.setManager, { body: { ids: people.map(({ user }) => user.id), managerId: manager.user.id } }),
    );
  return { call, work, workAgain, room, setDue, planOf, savePlan, previewOf, logOf, mailsOf, lead };
}
