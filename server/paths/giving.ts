import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { followAskedDays } from "#server/courses/giving/askedDays.ts";
import { enrolWanted, notifyEnrolled, settleNewReasons } from "#server/courses/giving/enrolling.ts";
import { withdrawUnstarted } from "#server/courses/giving/leaving.ts";

// The courses that open steps give, and take back when the step no longer applies

export type Given = {
  pathId: string;
  userId: string;
  companyId: string;
  courseId: string;
  dueDate: string | null;
  notify: boolean;
};
/** A person on a path, even if it gives them no course. */
export type Walker = Pick<Given, "pathId" | "userId" | "companyId">;

const listGiven = (given: Given[]) => sql`unnest(
    ${given.map(({ pathId }) => pathId)}::uuid[],
    ${given.map(({ userId }) => userId)}::uuid[],
    ${given.map(({ companyId }) => companyId)}::uuid[],
    ${given.map(({ courseId }) => courseId)}::uuid[],
    ${given.map(({ dueDate }) => dueDate)}::date[],
    ${given.map(({ notify }) => notify)}::boolean[]
  ) given (path_id, user_id, company_id, course_id, due_date, notify)`;

/** SQL: the latest enrolment of these people in each course of a company, as `mine`. */
const listMine = (userIds: string[]) => sql`mine as materialized (
    select distinct on (user_id, course_id, company_id) id, user_id, course_id, company_id, status
    from enrolments
    where ${isOneOf("user_id", userIds)}
    order by user_id, course_id, company_id, cycle desc
  )`;

/**
 * Enrols the people in `given`, sets their reasons and due dates, and ends every other reason by the paths of
 * `walkers`.
 */
export async function giveCourses(tx: Tx, walkers: Walker[], given: Given[], madeBy: string | null) {
  const userIds = [...new Set(walkers.map(({ userId }) => userId))];
  const added = await enrolWanted(tx, userIds, listWanted(given));
  await setReasons(tx, userIds, given, madeBy);
  await endReasons(tx, walkers, userIds, given);
  await notifyOf(tx, added, given);
}

const listWanted = (given: Given[]) => sql`
  select distinct on (given.user_id, given.course_id)
    given.user_id, given.company_id, given.course_id, given.due_date
  from ${listGiven(given)}
  join courses on courses.id = given.course_id and courses.status <> 'archived'
  join companies on companies.id = given.company_id and companies.status <> 'archived'
  order by given.user_id, given.course_id, given.due_date nulls last`;

/** Due dates that rules and paths ask for, to be read before their reasons change. */
const readDays = async (tx: Tx, enrolmentIds: string[]) => {
  const { rows } = await sql<{ enrolmentId: string; dueBefore: string | null }>`
    select enrolment_id, min(due_date)::text as due_before
    from enrolment_reasons
    where ${isOneOf("enrolment_id", enrolmentIds)}
      and until is null
    group by enrolment_id
    order by enrolment_id`.execute(tx);
  return rows;
};

/** Adds the reasons for courses that paths give, or changes their due dates. */
async function setReasons(tx: Tx, userIds: string[], given: Given[], madeBy: string | null) {
  if (given.length === 0) return;
  const changed = sql`
    select mine.id, mine.company_id, given.path_id, given.due_date, had.id as reason_id
    from ${listGiven(given)}
    join mine on mine.user_id = given.user_id
      and mine.course_id = given.course_id
      and mine.company_id = given.company_id
      and mine.status <> 'withdrawn'
    left join enrolment_reasons had
      on had.enrolment_id = mine.id
      and had.kind = 'path'
      and had.rule_id = given.path_id
      and had.until is null
    where had.id is null or had.due_date is distinct from given.due_date`;
  const { rows } = await sql<{ id: string }>`
    with ${listMine(userIds)}
    select distinct changed.id
    from (${changed}) changed`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const before = await readDays(tx, ids);
  await sql`
    with ${listMine(userIds)}
    update enrolment_reasons
    set due_date = changed.due_date
    from (${changed}) changed
    where enrolment_reasons.id = changed.reason_id`.execute(tx);
  await sql`
    with ${listMine(userIds)}
    insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id, due_date, made_by)
    select changed.id, changed.company_id, 'path', changed.path_id, changed.due_date, ${madeBy}::uuid
    from (${changed}) changed
    where changed.reason_id is null
    on conflict do nothing`.execute(tx);
  await settleNewReasons(tx, ids);
  await followAskedDays(tx, before);
}

/**
 * Ends the reasons for courses that the paths no longer give. Without another reason, a course is withdrawn or kept.
 */
async function endReasons(tx: Tx, walkers: Walker[], userIds: string[], given: Given[]) {
  const isGiven: RawBuilder<boolean> = sql`exists (
    select from ${listGiven(given)}
    where given.path_id = ended.rule_id
      and given.user_id = enrolments.user_id
      and given.company_id = enrolments.company_id
      and given.course_id = enrolments.course_id
  )`;
  const { rows: going } = await sql<{ id: string; enrolmentId: string }>`
    select ended.id::text, ended.enrolment_id
    from unnest(
      ${walkers.map(({ pathId }) => pathId)}::uuid[],
      ${walkers.map(({ userId }) => userId)}::uuid[],
      ${walkers.map(({ companyId }) => companyId)}::uuid[]
    ) walkers (path_id, user_id, company_id)
    join enrolments
      on enrolments.user_id = walkers.user_id
      and enrolments.company_id = walkers.company_id
    join enrolment_reasons ended
      on ended.enrolment_id = enrolments.id
      and ended.rule_id = walkers.path_id
    where ended.kind = 'path'
      and ended.until is null
      and ${isOneOf("enrolments.user_id", userIds)}
      and not ${isGiven}`.execute(tx);
  if (going.length === 0) return;
  const before = await readDays(
    tx,
    going.map(({ enrolmentId }) => enrolmentId),
  );
  const { rows: ended } = await sql<{ enrolmentId: string; ruleId: string }>`
    update enrolment_reasons
    set until = now(), ended = 'left'
    where id = any(${going.map(({ id }) => id)}::bigint[])
      and until is null
    returning enrolment_id, rule_id`.execute(tx);
  await followAskedDays(tx, before);
  await withdrawUnstarted(tx, ended);
}

/** Orders the emails about new enrolments, for people whose paths send them. */
async function notifyOf(tx: Tx, added: string[], given: Given[]) {
  const told = new Set(given.flatMap(({ notify, userId }) => (notify ? [userId] : [])));
  if (added.length === 0 || told.size === 0) return;
  const rows = await tx
    .selectFrom("enrolments")
    .where(isOneOf("id", added))
    .where(isOneOf("userId", [...told]))
    .select("id")
    .execute();
  await notifyEnrolled(
    tx,
    rows.map(({ id }) => id),
  );
}
