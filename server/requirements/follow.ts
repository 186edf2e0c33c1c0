import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { type Db, inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { closeCycles, isDueToOpen, openCycles } from "#server/requirements/cycles.ts";
import { notifyPeople } from "#server/requirements/openingMails.ts";
import { opensAfter, todayIn } from "#server/requirements/requirementRows.ts";

// Applies changed terms to everyone, and opens courses again whose day has come

const KEY = "requirements:follow";
/** Only one job follows at a time. */
const QUEUE = "requirements";
/** Enrolments of one transaction. */
const BATCH = 200;
/** How long a job works before other jobs have their turn, in ms. */
const JOB_MS = 4000;

export const followRequirements = job(
  KEY,
  z.object({}),
  async (services) => {
    const until = performance.now() + JOB_MS;
    for (const step of [applyTerms, repairRecent, openDue, notifyPeople])
      while (await step(services))
        if (performance.now() > until) {
          await requestFollow(services.db);
          return;
        }
  },
  "*/5 * * * *",
  QUEUE,
);

export const requestFollow = (db: Db) => followRequirements.enqueue(db, {}, { key: KEY });

/** Repairs all requirements once a day. */
export const checkRequirements = job(
  "requirements:check",
  z.object({}),
  async (services) => {
    const until = performance.now() + JOB_MS;
    while ((await repair(services.db, sql`true`)) && performance.now() < until)
      services.log.debug({}, "requirements repaired");
  },
  "35 2 * * *",
  QUEUE,
);

/** Repairs requirements that have changed, once transactions that started before the change are over. */
const repairRecent = ({ db }: Services) => repair(db, sql`course_requirements.updated_at > now() - interval '1 hour'`);

/**
 * Computes the next enrolments without a requirement, which a transaction added while the course became required, and
 * deletes requirements that were added while theirs was removed. False if there are none.
 */
const repair = (db: Db, recent: RawBuilder<unknown>) =>
  repeatOnDeadlock(() =>
    inTransaction(db, async (tx) => {
      const { rows: missed } = await sql<{ id: string }>`
        select enrolments.id
        from course_requirements
        join enrolments using (company_id, course_id)
        left join requirements on requirements.enrolment_id = enrolments.id
        where ${recent}
          and course_requirements.removed_at is null
          and course_requirements.applied_version = course_requirements.version
          and enrolments.status <> 'withdrawn'
          and enrolments.user_id is not null
          and requirements.enrolment_id is null
        order by enrolments.id
        limit ${BATCH}`.execute(tx);
      await refresh(
        tx,
        missed.map(({ id }) => id),
      );
      const { rows: left } = await sql`
        delete from requirements
        where enrolment_id = any(array(
          select enrolment_id
          from requirements
          where not exists (
            select from course_requirements asked
            where asked.company_id = requirements.company_id
              and asked.course_id = requirements.course_id
          )
          limit ${BATCH}
        ))
        returning enrolment_id`.execute(tx);
      return missed.length + left.length > 0;
    }),
  );

const refresh = (tx: Tx, enrolmentIds: string[]) =>
  sql`
    select refresh_requirement(id)
    from unnest(${enrolmentIds}::uuid[]) ids (id)`.execute(tx);

/** Opens the next courses whose day has come. False if there are none. */
const openDue = ({ db }: Services) =>
  repeatOnDeadlock(() => inTransaction(db, async (tx) => (await openCycles(tx, isDueToOpen, BATCH, null)).length > 0));

type Changed = {
  id: string;
  companyId: string;
  courseId: string;
  version: number;
  cursor: string | null;
  isRemoved: boolean;
};

/** Applies the terms of a changed requirement to its next people. False if no requirement has changed. */
const applyTerms = ({ db }: Services) => repeatOnDeadlock(() => inTransaction(db, applyBatch));

async function applyBatch(tx: Tx) {
  const { rows } = await sql<Changed>`
    select id, company_id, course_id, version, cursor, removed_at is not null as is_removed
    from course_requirements
    where applied_version < version
    order by updated_at, id
    limit 1
    for update`.execute(tx);
  const [changed] = rows;
  if (!changed) return false;
  const { id, companyId, courseId, version, cursor, isRemoved } = changed;
  const { rows: enrolments } = await sql<{ id: string }>`
    select id
    from enrolments
    where company_id = ${companyId}
      and course_id = ${courseId}
      and user_id is not null
      and (${cursor}::uuid is null or id > ${cursor}::uuid)
    order by id
    limit ${BATCH}`.execute(tx);
  const ids = enrolments.map((one) => one.id);
  if (ids.length > 0) await applyTo(tx, ids, isRemoved);
  if (ids.length === BATCH)
    await tx
      .updateTable("courseRequirements")
      .set({ cursor: ids.at(-1) ?? null })
      .where("id", "=", id)
      .execute();
  else if (isRemoved) await tx.deleteFrom("courseRequirements").where("id", "=", id).execute();
  else
    await tx
      .updateTable("courseRequirements")
      .set({ cursor: null, appliedVersion: version })
      .where("id", "=", id)
      .execute();
  return true;
}

/** Applies the terms to these enrolments. Courses that open too early by these terms, and are not started, close. */
async function applyTo(tx: Tx, ids: string[], isRemoved: boolean) {
  const isTheirs = isOneOf("requirements.enrolment_id", ids);
  if (isRemoved) await closeCycles(tx, isTheirs);
  await refresh(tx, ids);
  if (!isRemoved) {
    const isEarly = sql`requirements.opened_by is null and ${opensAfter(todayIn(sql`companies.timezone`))}`;
    await closeCycles(tx, sql`${isTheirs} and ${isEarly}`);
  }
}
