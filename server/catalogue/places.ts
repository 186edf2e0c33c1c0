import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { OfferWay } from "#shared/catalogue/terms.ts";

// Places of an offer. Taking or freeing one locks the offer first, then the person, the course and the enrolment

export type LockedOffer = {
  id: string;
  companyId: string;
  courseId: string;
  course: string;
  way: OfferWay;
  places: number | null;
  priceMinor: number | null;
  currency: string | null;
  costCentre: string;
  /** The waiting list as it was last counted. */
  waiting: number;
  isVisible: boolean;
  isRemoved: boolean;
  isCompanyActive: boolean;
  /** Not taken out of the catalogue, and its course is published: people can have it now. */
  isOpen: boolean;
  /** Taken out of the catalogue, or its course has not been published for a day: requests end. */
  isOver: boolean;
};

/** SQL: what people wait for cannot come any more, with `offers` and `courses`. Archiving can be undone for a day. */
export const isOfferOver = sql<boolean>`(
  offers.removed_at is not null
  or (courses.status <> 'published' and coalesce(offers.paused_at < now() - interval '1 day', false))
)`;

/**
 * Locks an offer, and waits for everyone who takes or frees a place of it. With any number of places, people wait only
 * for changes of the offer, and not for each other. 404 for an unknown one.
 */
export async function lockOffer(tx: Tx, id: string): Promise<LockedOffer> {
  const { rows: unlimited } = await sql`
    select
    from catalogue_offers
    where id = ${id}
      and places is null
    for share`.execute(tx);
  if (unlimited.length === 0)
    await sql`
      select
      from catalogue_offers
      where id = ${id}
      for no key update`.execute(tx);
  const { rows } = await sql<LockedOffer>`
    select
      offers.id, offers.company_id, offers.course_id, courses.title as course, offers.way, offers.places,
      offers.price_minor, offers.currency, offers.cost_centre, offers.waiting, offers.is_visible,
      companies.status = 'active' as is_company_active,
      offers.removed_at is not null as is_removed,
      offers.removed_at is null and courses.status = 'published' as is_open,
      ${isOfferOver} as is_over
    from catalogue_offers offers
    join courses on courses.id = offers.course_id
    join companies on companies.id = offers.company_id
    where offers.id = ${id}`.execute(tx);
  const [offer] = rows;
  if (!offer) throw notFound();
  return offer;
}

export type LockedPerson = {
  id: string;
  /** A learner of the company. */
  isHere: boolean;
  isSuspended: boolean;
};

/** Locks people after the offer, in the order of their ids, and then the course, whose status stays as it is. */
export async function lockPeople(tx: Tx, offer: LockedOffer, userIds: string[]) {
  const { rows: people } = await sql<LockedPerson>`
    select id, coalesce(company_id = ${offer.companyId} and role = 'learner', false) as is_here,
      status = 'suspended' as is_suspended
    from users
    where id = any(${userIds}::uuid[])
    order by id
    for no key update`.execute(tx);
  const { rows: courses } = await sql<{ status: string }>`
    select status
    from courses
    where id = ${offer.courseId}
    for share`.execute(tx);
  const isPublished = courses[0]?.status === "published";
  const isOver = offer.isOver && (offer.isRemoved || !isPublished);
  return { offer: { ...offer, isOpen: !offer.isRemoved && isPublished, isOver }, people };
}

/**
 * SQL: enrolments that hold a place of an offer, with `reasons`, `enrolments` and `users`. People who have completed
 * the course hold none, also when it opens again for a renewal.
 */
export const holders = (offerId: RawBuilder<unknown>) => sql`
  from enrolment_reasons reasons
  join enrolments on enrolments.id = reasons.enrolment_id
  join users on users.id = enrolments.user_id
    -- Not an equation: with old statistics all people of a large company were read for each enrolment.
    and users.company_id is not distinct from enrolments.company_id
  where reasons.rule_id = ${offerId}
    and reasons.kind = 'self'
    and reasons.until is null
    and enrolments.status not in ('withdrawn', 'completed')
    and users.role = 'learner'
    and users.status <> 'suspended'
    and not exists (
      select from enrolment_cycles
      where enrolment_cycles.enrolment_id = enrolments.id
        and enrolment_cycles.closed_at > reasons.since
    )`;

/** SQL: requests of people who are in the company and not suspended, with `requests` and `users`. */
const requestsOf = (offerId: RawBuilder<unknown>, status: "open" | "waiting") => sql`
  from catalogue_requests requests
  join users on users.id = requests.user_id
    and users.company_id is not distinct from requests.company_id
  where requests.offer_id = ${offerId}
    and requests.status = ${sql.lit(status)}
    and users.role = 'learner'
    and users.status <> 'suspended'`;

/** SQL: people on the waiting list who can have a place: not suspended, and with all prerequisites. */
export const inLine = (offer: RawBuilder<unknown>, company: RawBuilder<unknown>, course: RawBuilder<unknown>) => sql`
  ${requestsOf(offer, "waiting")}
    and not ${lacksRequired(sql.ref("requests.user_id"), company, course)}`;

export type Numbers = { taken: number; open: number; waiting: number };

type Counted = Pick<LockedOffer, "id" | "companyId" | "courseId" | "places">;

/**
 * People with a place of an offer and requests that wait for an answer; null for any number of places, which takes no
 * count. The waiting list is as long as it was, and `joined` longer: only `countWaiting` reads it. Call under
 * `lockOffer`.
 */
export async function countPlaces(
  tx: Tx,
  { id, places, waiting }: Counted & Pick<LockedOffer, "waiting">,
  joined = 0,
): Promise<Numbers | null> {
  if (places === null) return null;
  const offerId = sql`${id}::uuid`;
  const { rows } = await sql<Omit<Numbers, "waiting">>`
    select
      (select count(*)::int ${holders(offerId)}) as taken,
      (select count(*)::int ${requestsOf(offerId, "open")}) as open`.execute(tx);
  return { ...(rows[0] as Omit<Numbers, "waiting">), waiting: Math.max(0, waiting + joined) };
}

/** People on the waiting list who can have a place, up to `limit`; null for all. */
export async function countWaiting(tx: Tx, { id, companyId, courseId }: Counted, limit: number | null) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (
      select
      ${inLine(sql`${id}::uuid`, sql`${companyId}::uuid`, sql`${courseId}::uuid`)}
      limit ${limit}
    ) counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Stores the numbers that lists show. Call under `lockOffer`. */
export async function storeNumbers(tx: Tx, id: string, numbers: Numbers | null) {
  if (!numbers) return;
  const held = numbers.taken + numbers.open;
  await sql`
    update catalogue_offers
    set held = ${held}, waiting = ${numbers.waiting}
    where id = ${id}
      and (held, waiting) is distinct from (${held}::integer, ${numbers.waiting}::integer)`.execute(tx);
}

/** The enrolment of a person in the course of an offer, the latest one in the company, locked. */
export async function lockEnrolment(tx: Tx, { companyId, courseId }: LockedOffer, userId: string) {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status
    from enrolments
    where user_id = ${userId}
      and course_id = ${courseId}
      and company_id = ${companyId}
    order by cycle desc
    limit 1
    for no key update`.execute(tx);
  return rows[0] ?? null;
}

/** SQL: a person has completed a course in a company, now or before it opened again. */
export const hasCompleted = (
  userId: RawBuilder<unknown>,
  courseId: RawBuilder<unknown>,
  company: RawBuilder<unknown>,
) =>
  sql<boolean>`exists (
    select from enrolments done
    where done.user_id = ${userId}
      and done.course_id = ${courseId}
      and done.company_id = ${company}
      and (
        done.status = 'completed'
        or exists (
          select from enrolment_cycles
          where enrolment_cycles.enrolment_id = done.id
        )
      )
  )`;

/** SQL: a person has not completed what comes before a course. Courses that nobody can take any more do not count. */
export const lacksRequired = (
  userId: RawBuilder<unknown>,
  companyId: RawBuilder<unknown>,
  courseId: RawBuilder<unknown>,
) =>
  sql<boolean>`exists (
    select from catalogue_prerequisites needed
    join courses required on required.id = needed.required_id
      and required.status = 'published'
    where needed.company_id = ${companyId}
      and needed.course_id = ${courseId}
      and not ${hasCompleted(userId, sql.ref("needed.required_id"), sql.ref("needed.company_id"))}
  )`;

/** The titles of courses that a person has to complete before this one. */
export async function findMissing(db: Db, offer: Pick<LockedOffer, "companyId" | "courseId">, userId: string) {
  const { rows } = await sql<{ title: string }>`
    select courses.title
    from catalogue_prerequisites needed
    join courses on courses.id = needed.required_id
      and courses.status = 'published'
    where needed.company_id = ${offer.companyId}
      and needed.course_id = ${offer.courseId}
      and not ${hasCompleted(sql`${userId}::uuid`, sql.ref("needed.required_id"), sql.ref("needed.company_id"))}
    order by lower(courses.title)`.execute(db);
  return rows.map(({ title }) => title);
}
