import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, isUniqueViolation, repeatOnDeadlock } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { getCell } from "#server/requirements/compliance.ts";
import { closeCycles, isUnbegun, openCycles } from "#server/requirements/cycles.ts";
import { requestFollow } from "#server/requirements/follow.ts";
import { countStates, getRequirement, isHere, readCompany, stateOn } from "#server/requirements/requirementRows.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import {
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

/** The course with its title if it can be required; a 422 for any other. */
async function checkCourse(db: Db, id: string) {
  const course = await db
    .selectFrom("courses")
    .where("id", "=", id)
    .where("status", "<>", "archived")
    .select("id")
    .executeTakeFirst();
  if (!course) throw badField("courseId", "requirements.unknownCourse");
}

/** Requires a course. One that was removed, and that the job has not forgotten yet, returns with the new terms. */
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
    const values = { companyId, courseId, ...toColumns(terms), updatedBy: ctx.user.id };
    const made = await tx
      .insertInto("courseRequirements")
      .values(values)
      .onConflict((on) =>
        on
          .columns(["companyId", "courseId"])
          .doUpdateSet({
            ...toColumns(terms),
            updatedBy: ctx.user.id,
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
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "course_requirements_company_id_course_id_key")
      ? badField("courseId", "requirements.exists")
      : error;
  });
  return getRequirement(ctx, companyId, id);
}

/** Locks a requirement of a company in the scope of the user; 404 for any other. */
async function lockRequirement(ctx: Ctx<User>, companyId: string, id: string) {
  await getRequirement(ctx, companyId, id);
  return ctx.db
    .selectFrom("courseRequirements")
    .leftJoin("users", "users.id", "courseRequirements.updatedBy")
    .where("courseRequirements.id", "=", id)
    .select([
      "courseRequirements.courseId",
      "courseRequirements.version",
      "courseRequirements.updatedAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("updatedBy"),
    ])
    .forUpdate("courseRequirements")
    .executeTakeFirstOrThrow();
}

export async function updateRequirement(
  ctx: Ctx<User>,
  { id: companyId, requirementId }: { id: string; requirementId: string },
  { terms, version }: BodyOf<typeof requirements.update>,
) {
  await inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const stored = await lockRequirement(scoped, companyId, requirementId);
    if (stored.version !== version) {
      const current = await getRequirement(scoped, companyId, requirementId);
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
      .where("id", "=", requirementId)
      .execute();
    await record(tx, ctx, { action: "requirements.update", courseId: stored.courseId, companyId });
    await requestFollow(tx);
  });
  return getRequirement(ctx, companyId, requirementId);
}

export async function removeRequirement(
  ctx: Ctx<User>,
  { id: companyId, requirementId }: { id: string; requirementId: string },
) {
  await inTransaction(ctx.db, async (tx) => {
    const { courseId } = await lockRequirement({ ...ctx, db: tx }, companyId, requirementId);
    await tx
      .updateTable("courseRequirements")
      .set({ removedAt: sql`now()`, version: sql`version + 1`, cursor: null, updatedBy: ctx.user.id })
      .where("id", "=", requirementId)
      .execute();
    await record(tx, ctx, { action: "requirements.remove", courseId, companyId });
    await requestFollow(tx);
  });
}

type Preview = StateCounts & { opens: number; closes: number };

/** Counts the people who have the course by these terms, and what they would open and close. Changes nothing. */
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
    and coalesce(requirements.opens_on, 'infinity') > ${today}::date
    and ${isUnbegun}
  )`;
  const { rows } = await sql<Preview>`
    with days as materialized (
      select enrolment_id, array_agg((happened_at at time zone ${zone})::date order by happened_at, id) as completed
      from completion_history
      where company_id = ${companyId}
        and course_id = ${courseId}
        and not exists (
          select from completion_withdrawals
          where completion_id = completion_history.id
        )
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
        stored.opened_by
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
        case when ${isClosing} then 'valid' else ${stateOn(sql`${today}::date`)} end as state,
        requirements.opened_on is null
          and requirements.opens_on <= ${today}::date
          and enrolments.status = 'completed' as opens,
        ${isClosing} as closes
      from requirements
      join enrolments on enrolments.id = requirements.enrolment_id
      join users on users.id = requirements.user_id
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

type CellParams = { id: string; enrolmentId: string };

/** Opens a completed course again for one person, before its day. */
export async function openEarly(ctx: Ctx<User>, { id: companyId, enrolmentId }: CellParams) {
  await changeCycle(ctx, { id: companyId, enrolmentId }, "requirements.open", async (tx) => {
    const opened = await openCycles(tx, sql`requirements.enrolment_id = ${enrolmentId}`, 1, ctx.user.id);
    if (opened.length === 0) throw conflict("requirements.cannotOpen");
    await requestFollow(tx);
  });
  return getCell(ctx, companyId, enrolmentId);
}

/** Takes an early opening back. */
export async function closeEarly(ctx: Ctx<User>, { id: companyId, enrolmentId }: CellParams) {
  await changeCycle(ctx, { id: companyId, enrolmentId }, "requirements.close", async (tx, canClose) => {
    const closed = canClose ? await closeCycles(tx, sql`requirements.enrolment_id = ${enrolmentId}`) : [];
    if (closed.length === 0) throw conflict("requirements.cannotClose");
  });
  return getCell(ctx, companyId, enrolmentId);
}

const changeCycle = (
  ctx: Ctx<User>,
  { id: companyId, enrolmentId }: CellParams,
  action: "requirements.open" | "requirements.close",
  change: (tx: Parameters<Parameters<typeof inTransaction>[1]>[0], canClose: boolean) => Promise<void>,
) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const { courseId, canClose } = await getCell({ ...ctx, db: tx }, companyId, enrolmentId);
      await change(tx, canClose);
      const { userId } = await tx
        .selectFrom("requirements")
        .where("enrolmentId", "=", enrolmentId)
        .select("userId")
        .executeTakeFirstOrThrow();
      await record(tx, ctx, { action, courseId, companyId, people: [userId] });
    }),
  );
