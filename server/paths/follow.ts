import { sql } from "kysely";
import { z } from "zod";
import { followPathCompletions } from "#server/certificates/issuing/pathCompletions.ts";
import { type Db, inTransaction, isUnavailable, repeatOnDeadlock, withCause } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { advancePeople } from "#server/paths/advancing.ts";

// Recomputes people on paths in batches, soon after a change that concerns them

const KEY = "paths:follow";
/** Only one job computes at a time; `wake_paths` uses the same queue. */
const QUEUE = "paths";
/** People per transaction; with forty courses each it takes a second or two. */
const BATCH = 50;
/** How long a job works before other jobs have their turn, in ms. */
const JOB_MS = 4000;
/** Delay before the next try, in seconds per failure. */
const PAUSE_SECONDS = 20;
const MAX_FAILURES = 20;

type Change = { id: string; enrolmentId: string };

/** Recomputes changed people; triggers queue them in the transaction of the change. */
export const followPaths = job(
  KEY,
  z.object({}),
  async (services) => {
    const until = performance.now() + JOB_MS;
    while (await followBatch(services))
      if (performance.now() > until) {
        await requestFollow(services.db);
        return;
      }
  },
  // For retries, and for changes that an interrupted job has left.
  "* * * * *",
  QUEUE,
);

export const requestFollow = (db: Db) => followPaths.enqueue(db, {}, { key: KEY });

/** Recomputes every unfinished path once a day, which makes up for missed changes. */
export const checkPaths = job(
  "paths:check",
  z.object({}),
  async ({ db }) => {
    await sql`
      insert into path_changes (enrolment_id, priority)
      select id, 2
      from path_enrolments
      where withdrawn_at is null
        and completed_at is null
        and not exists (
          select from path_changes waiting
          where waiting.enrolment_id = path_enrolments.id
        )`.execute(db);
    await requestFollow(db);
  },
  "15 2 * * *",
  QUEUE,
);

/** Recomputes the next people. False if there are none. */
async function followBatch(services: Services) {
  const { rows } = await sql<Change>`
    select id::text, enrolment_id
    from path_changes
    where due_at <= now()
    order by priority, due_at, id
    limit ${BATCH}`.execute(services.db);
  if (rows.length === 0) return false;
  try {
    await follow(services, rows);
  } catch (error) {
    // The database is unavailable: no person causes the error.
    if (isUnavailable(error)) throw error;
    for (const some of Map.groupBy(rows, ({ enrolmentId }) => enrolmentId).values())
      await follow(services, some).catch((one: unknown) => postpone(services, some, one));
  }
  return true;
}

const follow = (services: Services, changes: Change[]) =>
  repeatOnDeadlock(() =>
    inTransaction(withCause(services.db, { actorId: null, reason: KEY }), async (tx) => {
      const changed = await advancePeople(tx, [...new Set(changes.map(({ enrolmentId }) => enrolmentId))]);
      await followPathCompletions(services, tx, changed);
      await sql`
        delete from path_changes
        where id = any(${changes.map(({ id }) => id)}::bigint[])`.execute(tx);
    }),
  );

async function postpone({ db, log }: Services, changes: Change[], error: unknown) {
  log.error({ err: error, enrolment: changes[0]?.enrolmentId }, "the steps of a path could not be computed");
  await sql`
    update path_changes
    set due_at = now() + make_interval(secs => ${PAUSE_SECONDS} * (failures + 1)),
      failures = least(failures + 1, ${MAX_FAILURES})
    where id = any(${changes.map(({ id }) => id)}::bigint[])`.execute(db);
}
