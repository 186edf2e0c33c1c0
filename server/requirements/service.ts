import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { getCell } from "#server/requirements/compliance.ts";
import { canBeTaken, closeCycles, isUnstarted, openCycles } from "#server/requirements/cycles.ts";
import { requestFollow } from "#server/requirements/follow.ts";
import {
  countStates,
  getRequirement,
  isExemptOn,
  isHere,
  opensAfter,
  readCompany,
  stateOn,
} from "#server/requirements/requirementRows.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import {
  type ComplianceCell,
  MAX_REQUIREMENTS,
  type requirements,
  type RequirementTerms,
  type StateCounts,
} from "#shared/requirements/requirements.ts";

const toColumns = ({ fixedDay, ...terms }: RequirementTerms) => ({
  ...terms,
  fixedMonth: fixedDay?.month ?? null,
  fixedDay: fixedDay?.day ?? null,
});

/** Throws a 422 unless the course exists and is not archived. */
async function checkCourse(db: Db, id: string) {
  const course = await db
    .selectFrom("courses")
    .where("id", "=", id)
    .where("status", "<>", "archived")
    .select("id")
    .executeTakeFirst();
  if (!course) throw badField("courseId", "requirements.unknownCourse");
}

/** Requires a course. If its earlier requirement is still being removed, that one gets the new terms. */
export async function createRequirement(
  ctx: Ctx<User>,
  companyId: string,
  { courseId, terms }: BodyOf<typeof requirements.create>,
) {
  const id = await inTransaction(ctx.db, async (tx) => {
    await readCompany({ ...ctx, db: tx }, companyId);
    await tx.selectFrom("companies").where("id", "=", companyId).select("id").forNoKeyUpdate().execute();
    await checkCourse(tx, courseId);
    const { count } = await tx
      .selectFrom("courseRequirements")
      .where("companyId", "=", companyId)
      .where("removedAt", "is", null)
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_REQUIREMENTS) throw conflict("requirements.tooMany", undefined, { count: MAX_REQUIREMENTS });
    const columns = { ...toColumns(terms), updatedBy: ctx.user.id };
    const made = await tx
      .insertInto("courseRequirements")
      .values({ companyId, courseId, ...columns })
      .onConflict((on) =>
        on
          .columns(["companyId", "courseId"])
          .doUpdateSet({
            ...columns,
            updatedAt: sql`now()`,
            removedAt: null,
            cursor: null,
            version: sql`course_requirements.version + 1`,
          })
          .where("courseRequirements.removedAt", "is not", null),
      )
      .returning("id")
      .executeTakeFirst();
    if (!made) throw badField("courseId", "requirements.exists");
    await record(tx, ctx, { action: "requirements.create", courseId, companyId });
    await requestFollow(tx);
    return made.id;
  });
  return getRequirement(ctx, companyId, id);
}

/** Locks a requirement of a company in the scope of the user; 404 for any other. */
const lockRequirement = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("courseRequirements")
    .leftJoin("users", "users.id", "courseRequirements.updatedBy")
    .where("courseRequirements.id", "=", id)
    .where("courseRequirements.removedAt", "is", null)
    .where(inScope(user, { company: "courseRequirements.companyId" }))
    .select([
      "courseRequirements.companyId",
      "courseRequirements.courseId",
      "courseRequirements.version",
      "courseRequirements.updatedAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("updatedBy"),
    ])
    .forUpdate("courseRequirements")
    .executeTakeFirstOrThrow(notFound);

export async function updateRequirement(
  ctx: Ctx<User>,
  id: string,
  { terms, version }: BodyOf<typeof requirements.update>,
) {
  const changed = await inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const { companyId, courseId, ...stored } = await lockRequirement(scoped, id);
    if (stored.version !== version) {
      const current = await getRequirement(scoped, companyId, id);
      throw conflict("core.conflict", { current, changedBy: stored.updatedBy, changedAt: stored.updatedAt });
    }
    await tx
      .updateTable("courseRequirements")
      .set({
        ...toColumns(terms),
        version: version + 1,
        cursor: null,
        updatedAt: sql`now()`,
        updatedBy: ctx.user.id,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "requirements.update", courseId, companyId });
    await requestFollow(tx);
    return companyId;
  });
  return getRequirement(ctx, changed, id);
}

export const removeRequirement = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const { companyId, courseId } = await lockRequirement({ ...ctx, db: tx }, id);
    await tx
      .updateTable("courseRequirements")
      .set({
        removedAt: sql`now()`,
        updatedAt: sql`now()`,
        version: sql`version + 1`,
        cursor: null,
        updatedBy: ctx.user.id,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "requirements.remove", courseId, companyId });
    await requestFollow(tx);
  });

type Preview = StateCounts & { opens: number; closes: number };

/** Counts the people who have the course by state under these terms, and the courses that would open or close. */
export async function previewRequirement(
  ctx: Ctx<User>,
  companyId: string,
  { courseId, terms }: BodyOf<typeof requirements.preview>,
) {
  const { today, zone } = await readCompany(ctx, companyId);
  await checkCourse(ctx.db, courseId);
  const { months, countsFrom, fixedMonth, fixedDay, skipDays, windowDays, graceDays } = toColumns(terms);
  const ends: RawBuilder<unknown> = sql`requirement_end(
    days.completed, ${months}, ${countsFrom}, ${fixedMonth}, ${fixedDay}, ${skipDays}, ${windowDays}, ${graceDays}
  )`;
  const isClosing = sql`(
    requirements.opened_by is null
    and ${opensAfter(sql`${today}::date`)}
    and ${isUnstarted}
  )`;
  const isOpening = sql`(
    requirements.opened_on is null
    and requirements.opens_on <= ${today}::date
    and not ${isExemptOn(sql`${today}::date`)}
    and enrolments.status = 'completed'
    and ${canBeTaken}
  )`;
  const { rows } = await sql<Preview>`
    -- As completion_days says, for all at once.
    with completions as (
      select
        enrolment_id,
        happened_at as completed_at,
        coalesce(external.completed_on, (happened_at at time zone ${zone})::date) as completed_on
      from completion_history
      left join external_completions external
        on external.attempt_id = completion_history.attempt_id
        and external.ended_at is null
      where completion_history.company_id = ${companyId}
        and completion_history.course_id = ${courseId}
        and not exists (
          select from completion_withdrawals
          where completion_id = completion_history.id
        )
      union all
      select enrolments.id, (external.completed_on + time '12:00') at time zone ${zone}, external.completed_on
      from external_completions external
      join enrolments
        on enrolments.user_id = external.person_id
        and enrolments.company_id = external.company_id
        and enrolments.course_id = external.course_id
      where external.company_id = ${companyId}
        and external.course_id = ${courseId}
        and external.attempt_id is null
        and external.ended_at is null
    ),
    days as materialized (
      select enrolment_id, array_agg(completed_on order by completed_at) as completed
      from completions
      group by enrolment_id
    ),
    asked as materialized (
      select
        enrolments.id as enrolment_id,
        enrolments.company_id,
        enrolments.user_id,
        days.completed[cardinality(days.completed)] as completed_on,
        ${ends} as valid_until,
        stored.opened_on,
        stored.opened_by,
        stored.exempt_from,
        stored.exempt_until
      from enrolments
      left join days on days.enrolment_id = enrolments.id
      left join requirements stored on stored.enrolment_id = enrolments.id
      where enrolments.company_id = ${companyId}
        and enrolments.course_id = ${courseId}
        and enrolments.status <> 'withdrawn'
    ),
    requirements as (
      select *, valid_until - ${windowDays}::integer as opens_on
      from asked
    ),
    states as (
      select
        case
          when ${isClosing} then 'valid'
          when ${isOpening} and requirements.valid_until >= ${today}::date then 'ending'
          else ${stateOn(today)}
        end as state,
        ${isOpening} as opens,
        ${isClosing} as closes
      from requirements
      join enrolments on enrolments.id = requirements.enrolment_id
      join users on users.id = requirements.user_id
      join courses on courses.id = ${courseId}
      join companies on companies.id = requirements.company_id
      where ${isHere}
    )
    select
      ${countStates},
      count(*) filter (where opens)::int as opens,
      count(*) filter (where closes)::int as closes
    from states`.execute(ctx.db);
  const [{ opens, closes, ...counts }] = rows as [Preview];
  return { counts, opens, closes };
}

/** Opens a completed course again for one person, before its day. */
export const openEarly = (ctx: Ctx<User>, enrolmentId: string) =>
  changeCycle(ctx, enrolmentId, "requirements.open", async (tx, condition) => {
    const opened = await openCycles(tx, condition, 1, ctx.user.id);
    if (opened.length === 0) throw conflict("requirements.cannotOpen");
    await requestFollow(tx);
  });

/** Takes an early opening back. */
export const closeEarly = (ctx: Ctx<User>, enrolmentId: string) =>
  changeCycle(ctx, enrolmentId, "requirements.close", async (tx, condition, { canClose }) => {
    const closed = canClose ? await closeCycles(tx, condition) : [];
    if (closed.length === 0) throw conflict("requirements.cannotClose");
  });

async function changeCycle(
  ctx: Ctx<User>,
  enrolmentId: string,
  action: "requirements.open" | "requirements.close",
  change: (tx: Tx, condition: RawBuilder<unknown>, cell: ComplianceCell) => Promise<void>,
) {
  const { companyId, userId } = await ctx.db
    .selectFrom("requirements")
    .where("enrolmentId", "=", enrolmentId)
    .where(inScope(ctx.user, { company: "requirements.companyId" }))
    .select(["companyId", "userId"])
    .executeTakeFirstOrThrow(notFound);
  await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const cell = await getCell({ ...ctx, db: tx }, companyId, enrolmentId);
      await change(tx, sql`requirements.enrolment_id = ${enrolmentId}`, cell);
      await record(tx, ctx, { action, courseId: cell.courseId, companyId, people: [userId] });
    }),
  );
  return getCell(ctx, companyId, enrolmentId);
}
