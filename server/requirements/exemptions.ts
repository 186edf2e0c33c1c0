import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { requestFollow } from "#server/requirements/follow.ts";
import { readCompany, type Scoped } from "#server/requirements/requirementRows.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type Exemption, type ExemptionList, type exemptions, MAX_LISTED } from "#shared/requirements/exemptions.ts";

type Requirement = { companyId: string; courseId: string; userId: string };

/** The requirement of an enrolment in the scope of the user; 404 for any other. */
const readRequirement = ({ db, user }: Scoped, enrolmentId: string): Promise<Requirement> =>
  db
    .selectFrom("requirements")
    .where("enrolmentId", "=", enrolmentId)
    .where(inScope(user, { company: "requirements.companyId" }))
    .select(["companyId", "courseId", "userId"])
    .executeTakeFirstOrThrow(notFound);

export const listExemptions = async (ctx: Ctx<User>, enrolmentId: string) =>
  listOf(ctx, await readRequirement(ctx, enrolmentId));

async function listOf(ctx: Scoped, { companyId, courseId, userId }: Requirement): Promise<ExemptionList> {
  const { today } = await readCompany(ctx, companyId);
  const { rows } = await sql<Exemption>`
    select
      exemption.id,
      exemption.from_day as "from",
      exemption.until_day as "until",
      exemption.due_day as "due",
      exemption.ground,
      exemption.note,
      exemption.created_at,
      coalesce(nullif(author.name, ''), author.email) as created_by,
      exemption.ended_at,
      coalesce(nullif(ender.name, ''), ender.email) as ended_by,
      exemption.ended_at is null and exemption.until_day >= ${today}::date as is_open
    from requirement_exemptions exemption
    left join users author on author.id = exemption.created_by
    left join users ender on ender.id = exemption.ended_by
    where exemption.person_id = ${userId}
      and exemption.company_id = ${companyId}
      and exemption.course_id = ${courseId}
    order by exemption.created_at desc, exemption.id
    limit ${MAX_LISTED}`.execute(ctx.db);
  return { items: rows, today };
}

/**
 * Locks the enrolments of a person that are required, and from which they are not exempt, today or later; their
 * attempts first, as commits do.
 */
async function lockUnexempt(tx: Tx, { companyId, courseId, userId }: Requirement, today: string, everywhere: boolean) {
  const { rows } = await sql<{ id: string }>`
    select enrolment_id as id
    from requirements
    where user_id = ${userId}
      and company_id = ${companyId}
      and (${everywhere} or course_id = ${courseId})`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`
    select from attempts
    where ${isOneOf("enrolment_id", ids)}
    order by id
    for no key update`.execute(tx);
  await sql`
    select from enrolments
    where ${isOneOf("id", ids)}
    order by id
    for update`.execute(tx);
  const { rows: free } = await sql<{ id: string; courseId: string }>`
    select enrolment_id as id, course_id
    from requirements
    where ${isOneOf("enrolment_id", ids)}
      and not exists (
        select from requirement_exemptions exemption
        where exemption.person_id = requirements.user_id
          and exemption.company_id = requirements.company_id
          and exemption.course_id = requirements.course_id
          and exemption.ended_at is null
          and exemption.until_day >= ${today}::date
      )
    order by enrolment_id`.execute(tx);
  return free;
}

/** Exempts a person from a required course, or from all, and moves their due dates until shortly after it. */
export const createExemption = (ctx: Ctx<User>, enrolmentId: string, terms: BodyOf<typeof exemptions.create>) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const scoped = { ...ctx, db: tx };
      const requirement = await readRequirement(scoped, enrolmentId);
      const { companyId, userId } = requirement;
      const { today } = await readCompany(scoped, companyId);
      if (terms.until < today) throw badField("until", "exemptions.past");
      const free = await lockUnexempt(tx, requirement, today, terms.everywhere);
      if (!free.some(({ id }) => id === enrolmentId)) throw conflict("exemptions.exists");
      const { from, until, due, ground, note } = terms;
      await sql`
        with moved as (
          update enrolments
          set due_date = ${due}::date
          from enrolments before
          where ${isOneOf(
            "enrolments.id",
            free.map(({ id }) => id),
          )}
            and before.id = enrolments.id
            and enrolments.status in ('assigned', 'in_progress', 'failed')
            and enrolments.due_date < ${due}::date
            and (enrolments.due_date >= ${from}::date or ${from}::date <= ${today}::date)
          returning enrolments.course_id, before.due_date as replaced
        )
        insert into requirement_exemptions (
          company_id, course_id, person_id, from_day, until_day, due_day, ground, note, replaced_due_date, created_by
        )
        select
          ${companyId}, free.course_id, ${userId}, ${from}::date, ${until}::date, ${due}::date, ${ground}, ${note},
          moved.replaced, ${ctx.user.id}
        from unnest(${free.map(({ courseId }) => courseId)}::uuid[]) free (course_id)
        left join moved on moved.course_id = free.course_id`.execute(tx);
      for (const { courseId } of free)
        await record(tx, ctx, {
          action: "exemptions.create",
          companyId,
          courseId,
          people: [userId],
          details: { from, until },
        });
      return { courses: free.length };
    }),
  );

/**
 * Ends an exemption today. The due date that it moved comes back if it was made within a day or has not begun;
 * otherwise the course is due as many days after today as it would have been after the exemption.
 */
export async function endExemption(ctx: Ctx<User>, id: string) {
  const requirement = await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const scoped = { ...ctx, db: tx };
      const found = await tx
        .selectFrom("requirementExemptions")
        .where("id", "=", id)
        .where(inScope(ctx.user, { company: "requirementExemptions.companyId" }))
        .select(["companyId", "courseId", "personId as userId"])
        .executeTakeFirstOrThrow(notFound);
      const { today } = await readCompany(scoped, found.companyId);
      await sql`
        update enrolments
        set due_date = case
          when exemption.created_at > now() - interval '1 day' or exemption.from_day > ${today}::date
            then exemption.replaced_due_date
          else least(exemption.due_day, ${today}::date + (exemption.due_day - exemption.until_day))
        end
        from requirement_exemptions exemption
        where exemption.id = ${id}
          and exemption.ended_at is null
          and exemption.until_day >= ${today}::date
          and exemption.replaced_due_date is not null
          and enrolments.user_id = exemption.person_id
          and enrolments.company_id = exemption.company_id
          and enrolments.course_id = exemption.course_id
          and enrolments.due_date = exemption.due_day
          and enrolments.status in ('assigned', 'in_progress', 'failed')`.execute(tx);
      const ended = await tx
        .updateTable("requirementExemptions")
        .set({ endedAt: sql`now()`, endedBy: ctx.user.id })
        .where("id", "=", id)
        .where("endedAt", "is", null)
        .where(sql<boolean>`until_day >= ${today}::date`)
        .returning("id")
        .executeTakeFirst();
      if (!ended) throw conflict("exemptions.over");
      const { companyId, courseId, userId } = found;
      await record(tx, ctx, { action: "exemptions.end", companyId, courseId, people: [userId] });
      await requestFollow(tx);
      return found;
    }),
  );
  return listOf(ctx, requirement);
}
