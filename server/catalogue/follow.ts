import { sql } from "kysely";
import { z } from "zod";
import { requestFollow, requestTelling } from "#server/catalogue/changes.ts";
import { tellOfRequests } from "#server/catalogue/telling.ts";
import { followOffer, isEnded } from "#server/catalogue/moving.ts";
import { inLine, isOfferOver } from "#server/catalogue/places.ts";
import { type Db, isUnavailable } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";

// Gives free places to the next in line, and ends requests that nothing can come of

/** Only one job does so at a time; `wake_catalogue` uses the same queue. */
const QUEUE = "catalogue";
/** Changes that are read together. */
const BATCH = 500;
/** Offers that one check of everything orders. */
const CHECKED = 200;
/** How long a job works before other jobs have their turn, and on one offer before other offers have theirs, in ms. */
const JOB_MS = 4000;
const OFFER_MS = 500;
/** Delay before the next try, in seconds. */
const PAUSE_SECONDS = 20;

/** For `ms` from now. */
const within = (ms: number) => {
  const until = performance.now() + ms;
  return () => performance.now() > until;
};

export const followCatalogue = job(
  "catalogue:follow",
  z.object({}),
  async (services) => {
    const isOver = within(JOB_MS);
    while (await followBatch(services, isOver)) if (isOver()) return void (await requestFollow(services.db));
  },
  undefined,
  QUEUE,
);

/** Each minute, and when someone has asked for a course. */
export const tellCatalogue = job(
  "catalogue:tell",
  z.object({}),
  async (services) => {
    const isOver = within(JOB_MS);
    while (await tellOfRequests(services)) if (isOver()) return void (await requestTelling(services.db));
  },
  "* * * * *",
  "catalogueMails",
);

type Change = { id: string; offerId: string | null; userId: string | null };

/** Follows the next changes. False if there are none, or some are left. */
async function followBatch(services: Services, isOver: () => boolean) {
  const { db } = services;
  const { rows } = await sql<Change>`
    select id::text, offer_id, user_id
    from catalogue_changes
    where due_at <= now()
    order by due_at, id
    limit ${BATCH}`.execute(db);
  if (rows.length === 0) return false;
  const people = Map.groupBy(
    rows.filter(({ userId }) => userId),
    ({ userId }) => userId as string,
  );
  const offers = Map.groupBy(
    rows.filter(({ offerId }) => offerId),
    ({ offerId }) => offerId as string,
  );
  if (people.size > 0) await expandPeople(db, [...people.keys()], [...people.values()].flat());
  for (const [offerId, changes] of offers) {
    if (isOver()) return true;
    const isTurnOver = within(OFFER_MS);
    const isDone = await followOffer(services, offerId, () => isOver() || isTurnOver()).catch(
      async (error: unknown) => {
        // The database is unavailable: no offer causes the error.
        if (isUnavailable(error)) throw error;
        services.log.error({ err: error, offer: offerId }, "the places of an offer could not be looked at");
        return null;
      },
    );
    if (isDone) await remove(db, changes);
    // Others have their turn before the rest.
    else await postpone(db, changes, isDone === null ? PAUSE_SECONDS : 0);
  }
  return true;
}

const idsOf = (changes: Change[]) => sql`id = any(${changes.map(({ id }) => id)}::bigint[])`;

const remove = (db: Db, changes: Change[]) =>
  sql`
    delete from catalogue_changes
    where ${idsOf(changes)}`.execute(db);

const postpone = (db: Db, changes: Change[], seconds: number) =>
  sql`
    update catalogue_changes
    set due_at = now() + make_interval(secs => ${seconds})
    where ${idsOf(changes)}`.execute(db);

/** Replaces people by the offers of which they have something. */
const expandPeople = (db: Db, userIds: string[], changes: Change[]) =>
  sql`
    with gone as (
      delete from catalogue_changes
      where ${idsOf(changes)}
    )
    insert into catalogue_changes (offer_id)
    select distinct offer_id
    from catalogue_requests
    where user_id = any(${userIds}::uuid[])
      and status in ('open', 'waiting', 'enrolled')`.execute(db);

/** SQL: the people in line of `offers`. */
const inLineOfOffers = inLine(sql.ref("offers.id"), sql.ref("offers.company_id"), sql.ref("offers.course_id"));

/** Notes since when the courses that people wait for have not been published. */
const notePauses = (db: Db) =>
  sql`
    update catalogue_offers
    set paused_at = case when courses.status <> 'published' then now() end
    from courses
    where courses.id = catalogue_offers.course_id
      and (courses.status <> 'published') <> (catalogue_offers.paused_at is not null)
      and (
        catalogue_offers.paused_at is not null
        or catalogue_offers.id in (
          select offer_id
          from catalogue_requests
          where status in ('open', 'waiting')
        )
      )`.execute(db);

/**
 * Each minute: orders what no trigger notices, such as a course that was archived or given by a rule, and what an
 * interrupted job has left.
 */
export const checkCatalogue = job(
  "catalogue:check",
  z.object({}),
  async ({ db }) => {
    await notePauses(db);
    await sql`
      insert into catalogue_changes (offer_id)
      select offers.id
      from catalogue_offers offers
      join courses on courses.id = offers.course_id
      join companies on companies.id = offers.company_id
        and companies.status = 'active'
      where offers.id in (
          select distinct offer_id
          from catalogue_requests
          where status in ('open', 'waiting')
        )
        and (
          ${isOfferOver}
          or (offers.way = 'self' and exists (
            select from catalogue_requests requests
            where requests.offer_id = offers.id
              and requests.status = 'open'
          ))
          or (
            offers.way <> 'none'
            and courses.status = 'published'
            and (offers.places is null or offers.held < offers.places)
            and exists (select ${inLineOfOffers})
          )
          or exists (
            select from catalogue_requests requests
            join users on users.id = requests.user_id
            where requests.offer_id = offers.id
              and requests.status in ('open', 'waiting')
              and ${isEnded(sql.ref("offers.course_id"))}
          )
        )
        and not exists (
          select from catalogue_changes waiting
          where waiting.offer_id = offers.id
        )
      order by offers.id
      limit ${CHECKED}`.execute(db);
    await requestFollow(db);
  },
  "* * * * *",
  QUEUE,
);

/** Nightly: deletes notes of emails that no longer hold back another one. */
export const deleteOldNotices = job(
  "catalogue:deleteOldNotices",
  z.object({}),
  async ({ db }) => {
    await sql`
      delete from catalogue_notices
      where sent_at < now() - interval '2 days'`.execute(db);
  },
  "45 3 * * *",
);
