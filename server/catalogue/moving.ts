import { sql } from "kysely";
import { enrolPerson, isTakenBack } from "#server/catalogue/enrolling.ts";
import { notifyPerson } from "#server/catalogue/notices.ts";
import {
  countPlaces,
  findMissing,
  type LockedOffer,
  lockEnrolment,
  lockOffer,
  lockPerson,
  storeNumbers,
} from "#server/catalogue/places.ts";
import { inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import type { CatalogueRequest } from "#shared/catalogue/catalogue.ts";

type Next = { id: string; userId: string; status: "open" | "waiting" };

/**
 * Moves the waiting list of an offer up, and ends requests that nothing can come of, each person in a transaction of
 * their own. False if there was no time for all.
 */
export async function followOffer(services: Services, offerId: string, isOver: () => boolean) {
  const db = withCause(services.db, { actorId: null, reason: "catalogue:follow" });
  for (const find of [findEnded, findNext])
    while (await repeatOnDeadlock(() => inTransaction(db, (tx) => moveOne(services, tx, offerId, find))))
      if (isOver()) return false;
  return true;
}

type Find = (tx: Tx, offer: LockedOffer) => Promise<Next | null>;

/** Ends or moves up one person. False if there is nobody. */
async function moveOne(services: Services, tx: Tx, offerId: string, find: Find) {
  if (!(await exists(tx, offerId))) return false;
  const offer = await lockOffer(tx, offerId);
  const next = await find(tx, offer);
  if (next) await settle(services, tx, offer, next);
  await storeNumbers(tx, offer);
  return next !== null;
}

const exists = async (tx: Tx, offerId: string) =>
  (await tx.selectFrom("catalogueOffers").where("id", "=", offerId).select("id").execute()).length > 0;

/** A request of which nothing can come: the offer or the person has gone, or they have the course. */
async function findEnded(tx: Tx, offer: LockedOffer): Promise<Next | null> {
  const isClosed = !offer.isOffered || offer.way === "none";
  const { rows } = await sql<Next>`
    select requests.id, requests.user_id, requests.status
    from catalogue_requests requests
    join users on users.id = requests.user_id
    where requests.offer_id = ${offer.id}
      and requests.status in ('open', 'waiting')
      and (
        ${isClosed}
        or users.company_id is distinct from requests.company_id
        or users.role <> 'learner'
        or users.status = 'suspended'
        or exists (
          select from enrolments
          where enrolments.user_id = requests.user_id
            and enrolments.course_id = ${offer.courseId}
            and enrolments.company_id = ${offer.companyId}
            and enrolments.status <> 'withdrawn'
        )
      )
    limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** The next person on the waiting list, if there is a place for them. */
async function findNext(tx: Tx, { id, places }: LockedOffer): Promise<Next | null> {
  const { rows } = await sql<Next>`
    select id, user_id, status
    from catalogue_requests
    where offer_id = ${id}
      and status = 'waiting'
    order by waiting_since, id
    limit 1`.execute(tx);
  const [next] = rows;
  if (!next) return null;
  if (places === null) return next;
  const { taken, open } = await countPlaces(tx, id);
  return taken + open < places ? next : null;
}

type Closed = NonNullable<CatalogueRequest["closed"]>;

async function settle(services: Services, tx: Tx, offer: LockedOffer, { id, userId }: Next) {
  const person = await lockPerson(tx, offer, userId);
  const { rows } = await sql<{ status: string }>`
    select status
    from catalogue_requests
    where id = ${id}
    for no key update`.execute(tx);
  // Erased meanwhile, or it was declined.
  if (!rows[0] || !["open", "waiting"].includes(rows[0].status)) return;
  const closed = await findReasonToClose(tx, offer, person);
  if (closed) {
    await sql`
      update catalogue_requests
      set status = 'closed', closed = ${closed}, decided_at = now()
      where id = ${id}`.execute(tx);
    if (closed === "offer") await notifyPerson(services, tx, offer, { userId, kind: "closed" });
    return;
  }
  if (rows[0].status !== "waiting") return;
  if (offer.way === "self") {
    await enrolPerson(tx, offer, userId, userId);
    await sql`
      update catalogue_requests
      set status = 'enrolled', decided_at = now()
      where id = ${id}`.execute(tx);
    await notifyPerson(services, tx, offer, { userId, kind: "placed" });
  } else
    await sql`
      update catalogue_requests
      set status = 'open', told_at = null
      where id = ${id}`.execute(tx);
}

async function findReasonToClose(
  tx: Tx,
  offer: LockedOffer,
  { id, isHere }: { id: string; isHere: boolean },
): Promise<Closed | null> {
  if (!isHere) return "person";
  if (!offer.isOffered || offer.way === "none") return "offer";
  const enrolment = await lockEnrolment(tx, offer, id);
  if (enrolment && enrolment.status !== "withdrawn") return "has";
  if (await isTakenBack(tx, offer, id)) return "person";
  return (await findMissing(tx, offer, id)).length > 0 ? "prerequisites" : null;
}
