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
  /** Visible, and its course is published. */
  isOffered: boolean;
};

/** Locks an offer, and waits for everyone who takes or frees a place of it. 404 for an unknown one. */
export async function lockOffer(tx: Tx, id: string): Promise<LockedOffer> {
  await sql`
    select
    from catalogue_offers
    where id = ${id}
    for no key update`.execute(tx);
  const { rows } = await sql<LockedOffer>`
    select
      offers.id, offers.company_id, offers.course_id, courses.title as course, offers.way, offers.places,
      offers.price_minor, offers.currency, offers.cost_centre,
      offers.removed_at is null and offers.is_visible and courses.status = 'published' as is_offered
    from catalogue_offers offers
    join courses on courses.id = offers.course_id
    where offers.id = ${id}`.execute(tx);
  const [offer] = rows;
  if (!offer) throw notFound();
  return offer;
}

export type LockedPerson = { id: string; isHere: boolean };

/** Locks a person after the offer. `isHere`: an active or invited learner of the company. */
export async function lockPerson(tx: Tx, { companyId }: LockedOffer, userId: string): Promise<LockedPerson> {
  const { rows } = await sql<LockedPerson>`
    select id,
      coalesce(company_id = ${companyId} and role = 'learner' and status <> 'suspended', false) as is_here
    from users
    where id = ${userId}
    for no key update`.execute(tx);
  return rows[0] ?? { id: userId, isHere: false };
}

/** SQL: enrolments that hold a place of an offer, with `reasons`, `enrolments` and `users`. */
export const holders = (offerId: RawBuilder<unknown>) => sql`
  from enrolment_reasons reasons
  join enrolments on enrolments.id = reasons.enrolment_id
  join users on users.id = enrolments.user_id
    -- Not an equation: with old statistics all people of a large company were read for each enrolment.
    and users.company_id is not distinct from enrolments.company_id
  where reasons.rule_id = ${offerId}
    and reasons.kind = 'self'
    and reasons.until is null
    and enrolments.status <> 'withdrawn'
    and users.role = 'learner'
    and users.status <> 'suspended'`;

export type Numbers = { taken: number; open: number; waiting: number };

/** People with a place of an offer, requests that wait for an answer, and the waiting list. Call under `lockOffer`. */
export async function countPlaces(tx: Tx, offerId: string): Promise<Numbers> {
  const { rows } = await sql<Numbers>`
    select
      (select count(*)::int ${holders(sql`${offerId}::uuid`)}) as taken,
      (
        select count(*)::int
        from catalogue_requests
        where offer_id = ${offerId}
          and status = 'open'
      ) as open,
      (
        select count(*)::int
        from catalogue_requests
        where offer_id = ${offerId}
          and status = 'waiting'
      ) as waiting`.execute(tx);
  return rows[0] as Numbers;
}

/** Stores the numbers that lists show. Call under `lockOffer`. */
export async function storeNumbers(tx: Tx, { id, places }: Pick<LockedOffer, "id" | "places">) {
  const { taken, open, waiting } = await countPlaces(tx, id);
  const held = places === null ? 0 : taken + open;
  await sql`
    update catalogue_offers
    set held = ${held}, waiting = ${waiting}
    where id = ${id}
      and (held, waiting) is distinct from (${held}, ${waiting})`.execute(tx);
}

/** The free places that nobody on the waiting list waits for; null: any number. Call under `lockOffer`. */
export async function countFree(tx: Tx, { id, places }: LockedOffer) {
  if (places === null) return null;
  const { taken, open, waiting } = await countPlaces(tx, id);
  return Math.max(0, places - taken - open - waiting);
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

/** The titles of courses that a person has to complete before this one. */
export async function findMissing(db: Db, offer: Pick<LockedOffer, "companyId" | "courseId">, userId: string) {
  const { rows } = await sql<{ title: string }>`
    select courses.title
    from catalogue_prerequisites needed
    join courses on courses.id = needed.required_id
    where needed.company_id = ${offer.companyId}
      and needed.course_id = ${offer.courseId}
      and not ${hasCompleted(sql`${userId}::uuid`, sql.ref("needed.required_id"), sql.ref("needed.company_id"))}
    order by lower(courses.title)`.execute(db);
  return rows.map(({ title }) => title);
}
