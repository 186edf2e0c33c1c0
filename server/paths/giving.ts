import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { followAskedDays } from "#server/courses/askedDays.ts";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { STATUS_BEFORE_WITHDRAWAL } from "#server/courses/bulkChanges.ts";
import { withdrawUnstarted } from "#server/courses/leaving.ts";
import { isLeftToRules, withReason } from "#server/courses/reasons.ts";
import { storeNewEnrolments } from "#server/courses/undo.ts";

// The courses that open steps give, and take back when a step goes

/** A course that a path asks somebody to take, by a day or by none. */
export type Given = {
  pathId: string;
  userId: string;
  companyId: string;
  courseId: string;
  dueDate: string | null;
  notify: boolean;
};
/** Who is on a path, whether they are given something by it or not. */
export type Walker = Pick<Given, "pathId" | "userId" | "companyId">;

/** Delay of emails, as for assignments: who is withdrawn again meanwhile gets none. */
const NOTIFY_DELAY_MS = 10_000;

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

/** Gives exactly these courses to these people by their paths: enrols, sets reasons and due days, ends the rest. */
export async function giveCourses(tx: Tx, walkers: Walker[], given: Given[], madeBy: string | null) {
  const userIds = [...new Set(walkers.map(({ userId }) => userId))];
  const added = await withReason(tx, "rule", async () => [
    ...(await addEnrolments(tx, userIds, given)),
    ...(await restoreEnrolments(tx, userIds, given)),
  ]);
  await setReasons(tx, userIds, given, madeBy);
  await endReasons(tx, walkers, userIds, given);
  await notifyOf(tx, added, given);
}

const wanted = (given: Given[]) => sql`
  select distinct on (given.user_id, given.course_id)
    given.user_id, given.company_id, given.course_id, given.due_date
  from ${listGiven(given)}
  join courses on courses.id = given.course_id and courses.status <> 'archived'
  join companies on companies.id = given.company_id and companies.status <> 'archived'
  order by given.user_id, given.course_id, given.due_date nulls last`;

async function addEnrolments(tx: Tx, userIds: string[], given: Given[]) {
  const { rows } = await sql<{ id: string }>`
    with had as materialized (
      select user_id, course_id, max(cycle) as cycle, array_agg(company_id) as companies
      from enrolments
      where ${isOneOf("user_id", userIds)}
      group by user_id, course_id
    )
    insert into enrolments (user_id, company_id, course_id, source, due_date, cycle)
    select wanted.user_id, wanted.company_id, wanted.course_id, 'company', wanted.due_date, coalesce(had.cycle, 0) + 1
    from (${wanted(given)}) wanted
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

async function restoreEnrolments(tx: Tx, userIds: string[], given: Given[]) {
  const { rows } = await sql<{ id: string }>`
    with ${listMine(userIds)}
    update enrolments
    set status = ${STATUS_BEFORE_WITHDRAWAL}, due_date = wanted.due_date
    from mine
    join (${wanted(given)}) wanted
      on wanted.user_id = mine.user_id
      and wanted.course_id = mine.course_id
      and wanted.company_id = mine.company_id
    where enrolments.id = mine.id
      and enrolments.status = 'withdrawn'
      and ${isLeftToRules}
    returning enrolments.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The day that rules and paths ask for, before their reasons change. */
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

/** Adds or changes the reason of courses that the paths give. A course that was kept is no longer only kept. */
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
  // The insert has waited for an admin who withdrew the course at the same moment: then the admin wins.
  await sql`
    update enrolment_reasons
    set until = now(), ended = 'replaced'
    from enrolments
    where enrolments.id = enrolment_reasons.enrolment_id
      and enrolments.status = 'withdrawn'
      and ${isOneOf("enrolments.id", ids)}
      and enrolment_reasons.kind = 'path'
      and enrolment_reasons.until is null`.execute(tx);
  await sql`
    update enrolment_reasons
    set until = now(), ended = 'replaced'
    where ${isOneOf("enrolment_id", ids)}
      and kind = 'kept'
      and until is null`.execute(tx);
  await followAskedDays(tx, before);
}

/** Ends the reasons of these paths that no longer give a course, and what follows from that. */
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

/** Has the people of new enrolments written to, once each. */
async function notifyOf(tx: Tx, added: string[], given: Given[]) {
  const told = new Set(given.flatMap(({ notify, userId }) => (notify ? [userId] : [])));
  if (added.length === 0 || told.size === 0) return;
  const rows = await tx
    .selectFrom("enrolments")
    .where(isOneOf("id", added))
    .where(isOneOf("userId", [...told]))
    .select("id")
    .execute();
  if (rows.length === 0) return;
  const { id } = await tx.insertInto("undoSteps").values({ madeBy: null }).returning("id").executeTakeFirstOrThrow();
  await storeNewEnrolments(
    tx,
    id,
    rows.map((row) => row.id),
  );
  await notifyAssigned.enqueue(tx, { stepId: id }, { runAt: new Date(Date.now() + NOTIFY_DELAY_MS) });
}
