import { sql } from "kysely";
import { z } from "zod";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { job } from "#server/core/jobs.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Services } from "#server/core/services.ts";
import { selectAssignees } from "#server/courses/assignees.ts";
import { assignmentMail, teamAssignmentMail } from "#server/courses/mails.ts";
import { type Addressee, mailPeople } from "#server/courses/personMails.ts";
import type { courses } from "#shared/courses/courses.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** People who are mailed in one transaction. */
const BATCH = 50;

/**
 * Mails the learners who got published courses in a step, once per person with all their courses. Each batch marks its
 * people in the transaction of its mails, so that an interrupted job continues where it stopped. A step that was undone
 * mails nobody.
 */
export const notifyAssigned = job(
  "courses:notifyAssigned",
  z.object({ stepId: z.uuid() }),
  async (services, { stepId }) => {
    while ((await mailBatch(services, stepId)) === BATCH) services.log.debug({ stepId }, "assignment emails queued");
  },
);

type Assignee = Addressee & { status: string };

const mailBatch = (services: Services, stepId: string) =>
  inTransaction(services.db, async (tx) => {
    // One batch at a time: a job that runs twice must not read the same people.
    await tx.selectFrom("undoSteps").where("id", "=", stepId).select("id").forUpdate().execute();
    const { rows } = await sql<Assignee>`
      select users.id, users.email, users.name, users.status, ${personnelNumber} as number,
        contact.id as manager_id, contact.name as manager, contact.email as manager_email,
        companies.id as company_id, companies.name as company, companies.color,
        jsonb_agg(
          jsonb_build_object('title', courses.title, 'due', enrolments.due_date)
          order by lower(courses.title)
        ) as courses
      from undo_steps
      join undo_enrolments added on added.step_id = undo_steps.id
      join enrolments on enrolments.id = added.enrolment_id and enrolments.status <> 'withdrawn'
      join courses on courses.id = enrolments.course_id and courses.status = 'published'
      join users on users.id = enrolments.user_id and users.status <> 'suspended'
      join companies on companies.id = enrolments.company_id and companies.status = 'active'
      left join users contact on contact.id = case when users.email is null then mail_manager_of(users.id) end
      where undo_steps.id = ${stepId}
        and coalesce(users.email, contact.email) <> ''
        and undo_steps.undone_at is null
        and (added.status is null or added.status = 'withdrawn')
        and added.notified_at is null
      group by users.id, companies.id, contact.id
      order by users.id
      limit ${BATCH}`.execute(tx);
    await mailPeople(services, tx, rows, {
      reason: "courses.assigned",
      own: ({ status, ...person }, link) => assignmentMail({ ...person, invited: status === "invited", link }),
      team: teamAssignmentMail,
    });
    const mailedIds = rows.map(({ id }) => id);
    await sql`
      update undo_enrolments
      set notified_at = now()
      from enrolments
      where step_id = ${stepId}
        and enrolments.id = enrolment_id
        and ${isOneOf("enrolments.user_id", mailedIds)}`.execute(tx);
    return rows.length;
  });

type Draft = BodyOf<typeof courses.previewAssignmentMail>;

/**
 * The email about an assignment for the first of its learners. Includes drafts, because they may be published before it
 * is sent.
 */
export async function previewAssignmentMail(ctx: Ctx<User>, { courseIds, dueDate, ...targets }: Draft) {
  const person = await inTransaction(ctx.db, (tx) =>
    selectAssignees(tx, ctx.user, targets)
      .innerJoin("companies", "companies.id", "users.companyId")
      .select(["users.name", "users.status", "companies.name as company", "companies.color"])
      .orderBy("users.name")
      .executeTakeFirst(),
  );
  const sample = person ?? (await readSample(ctx, targets.companyIds));
  const listed = await ctx.db
    .selectFrom("courses")
    .where("id", "in", courseIds)
    .select("title")
    .orderBy(sql`lower(title)`)
    .execute();
  if (listed.length === 0) throw notFound();
  const { subject, body } = assignmentMail({
    ...sample,
    invited: sample.status === "invited",
    courses: listed.map(({ title }) => ({ title, due: dueDate })),
    link: `${ctx.config.publicUrl}/my-courses`,
  });
  return { subject, body };
}

/** Sample data for companies without learners, so that the email can be previewed. */
async function readSample({ db, user }: Ctx<User>, companyIds: string[]) {
  const company = await db
    .selectFrom("companies")
    .where(isOneOf("id", companyIds))
    .where(inScope(user, { company: "companies.id" }))
    .select(["name as company", "color"])
    .executeTakeFirstOrThrow(notFound);
  return { name: "", status: "active", ...company };
}
