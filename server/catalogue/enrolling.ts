import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { conflict } from "#server/core/http/problem.ts";
import { enrolWanted, settleNewReasons } from "#server/courses/giving/enrolling.ts";
import { isLeftToRules } from "#server/courses/reasons.ts";
import { type LockedOffer, lockEnrolment } from "#server/catalogue/places.ts";
import type { RequestStatus } from "#shared/catalogue/catalogue.ts";

/**
 * Enrols a person in the course of an offer, or adds the reason to the enrolment that they have. Call after
 * `lockPeople`. Throws 409 if an admin has taken the course from them.
 */
export async function enrolPerson(tx: Tx, offer: LockedOffer, userId: string, by: string) {
  await enrolWanted(
    tx,
    [userId],
    sql`
      select ${userId}::uuid as user_id, ${offer.companyId}::uuid as company_id, ${offer.courseId}::uuid as course_id,
        null::date as due_date`,
  );
  const enrolment = await lockEnrolment(tx, offer, userId);
  if (!enrolment || enrolment.status === "withdrawn") throw conflict("catalogue.takenBack");
  await sql`
    insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id, made_by)
    values (${enrolment.id}, ${offer.companyId}, 'self', ${offer.id}, ${by})
    on conflict do nothing`.execute(tx);
  await settleNewReasons(tx, [enrolment.id]);
}

/** True if an admin withdrew the course of an offer from a person. They cannot take it themselves then. */
export async function isTakenBack(tx: Tx, { companyId, courseId }: LockedOffer, userId: string) {
  const { rows } = await sql`
    select
    from enrolments
    where user_id = ${userId}
      and company_id = ${companyId}
      and course_id = ${courseId}
      and status = 'withdrawn'
      and not ${isLeftToRules}
      and cycle = (
        select max(cycle)
        from enrolments mine
        where mine.user_id = ${userId}
          and mine.company_id = ${companyId}
          and mine.course_id = ${courseId}
      )`.execute(tx);
  return rows.length > 0;
}

type Asked = { status: RequestStatus; note?: string };

/** Stores what a person last asked for; price and cost centre as they are now. */
export const storeRequest = (tx: Tx, offer: LockedOffer, userId: string, { status, note = "" }: Asked) =>
  sql`
    insert into catalogue_requests (
      offer_id, company_id, user_id, status, note, waiting_since, price_minor, currency, cost_centre
    )
    values (
      ${offer.id}, ${offer.companyId}, ${userId}, ${status}, ${note},
      case when ${status} = 'waiting' then clock_timestamp() end,
      ${offer.priceMinor}, ${offer.currency}, ${offer.costCentre}
    )
    on conflict (offer_id, user_id) do update
    set status = excluded.status,
      note = excluded.note,
      asked_at = now(),
      waiting_since = excluded.waiting_since,
      decided_at = null,
      decided_by = null,
      reason = '',
      closed = null,
      told_to = null,
      told_admins = false,
      told_at = null,
      looked_at = null,
      price_minor = excluded.price_minor,
      currency = excluded.currency,
      cost_centre = excluded.cost_centre`.execute(tx);

export type StoredRequest = { id: string; userId: string; status: RequestStatus };

export async function lockRequest(tx: Tx, offerId: string, userId: string) {
  const { rows } = await sql<StoredRequest>`
    select id, user_id, status
    from catalogue_requests
    where offer_id = ${offerId}
      and user_id = ${userId}
    for no key update`.execute(tx);
  return rows[0] ?? null;
}
