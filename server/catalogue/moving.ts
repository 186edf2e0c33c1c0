import { type RawBuilder, sql } from "kysely";
import { requestTelling } from "#server/catalogue/changes.ts";
import { enrolPerson, isTakenBack } from "#server/catalogue/enrolling.ts";
import { notifyPerson } from "#server/catalogue/notices.ts";
import {
  countPlaces,
  countWaiting,
  findMissing,
  inLine,
  type LockedOffer,
  lockEnrolment,
  type LockedPerson,
  lockOffer,
  lockPeople,
  storeNumbers,
} from "#server/catalogue/places.ts";
import { inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import type { CatalogueRequest } from "#shared/catalogue/catalogue.ts";

/** People who move up or whose requests end in one transaction. */
const BATCH = 50;

/** Requests that are put in line in one transaction. */
const QUEUED = 500;

type Request = { id: string; userId: string };

/**
 * Moves the waiting list of an offer up, and ends requests that nothing can come of, a batch in each transaction.
 * False if there was no time for all.
 */
export async function followOffer(services: Services, offerId: string, isOver: () => boolean) {
  const db = withCause(services.db, { actorId: null, reason: "catalogue:follow" });
  // Requests that were found and stayed as they are: they are not found again, so that the work ends.
  const unchanged = new Set<string>();
  while (await repeatOnDeadlock(() => inTransaction(db, (tx) => moveBatch(services, tx, offerId, unchanged))))
    if (isOver()) return false;
  return true;
}

/** True if people may be left. */
async function moveBatch(services: Services, tx: Tx, offerId: string, unchanged: Set<string>) {
  if (!(await exists(tx, offerId))) return false;
  const locked = await lockOffer(tx, offerId);
  if (!locked.isCompanyActive) return false;
  const ended = await findEnded(tx, locked, [...unchanged]);
  if (ended.length > 0) {
    await settle(services, tx, locked, ended, unchanged);
    return true;
  }
  if (locked.way === "self" && (await queueOpen(tx, offerId))) return true;
  const numbers = await countPlaces(tx, locked);
  const free = numbers && locked.places !== null ? locked.places - numbers.taken - numbers.open : BATCH;
  const next = free > 0 ? await findNext(tx, locked, [...unchanged], Math.min(free, BATCH)) : [];
  const moved = await settle(services, tx, locked, next, unchanged);
  if (moved.open) await requestTelling(tx);
  if (numbers && next.length === 0)
    await storeNumbers(tx, offerId, { ...numbers, waiting: await countWaiting(tx, locked, null) });
  else if (numbers) {
    const [enrolled, opened] = [moved.enrolled ?? 0, moved.open ?? 0];
    await storeNumbers(tx, offerId, {
      taken: numbers.taken + enrolled,
      open: numbers.open + opened,
      waiting: Math.max(0, numbers.waiting - enrolled - opened - (moved.closed ?? 0)),
    });
  }
  return next.length > 0;
}

const exists = async (tx: Tx, offerId: string) =>
  (await tx.selectFrom("catalogueOffers").where("id", "=", offerId).select("id").execute()).length > 0;

/** Nobody answers requests of an offer that people take themselves, so they wait in line since they asked. */
async function queueOpen(tx: Tx, offerId: string) {
  const { rows } = await sql`
    update catalogue_requests
    set status = 'waiting', waiting_since = asked_at
    where id in (
      select id
      from catalogue_requests
      where offer_id = ${offerId}
        and status = 'open'
      limit ${QUEUED}
    )
    returning id`.execute(tx);
  return rows.length > 0;
}

/** SQL: nothing can come of a request, with `requests` and `users`: the person has gone, or they have the course. */
export const isEnded = (courseId: RawBuilder<unknown>) => sql<boolean>`(
  users.company_id is distinct from requests.company_id
  or users.role <> 'learner'
  or exists (
    select from enrolments
    where enrolments.user_id = requests.user_id
      and enrolments.course_id = ${courseId}
      and enrolments.company_id = requests.company_id
      and enrolments.status <> 'withdrawn'
  )
)`;

async function findEnded(tx: Tx, { id, courseId, isOver }: LockedOffer, unchanged: string[]) {
  const { rows } = await sql<Request>`
    select requests.id, requests.user_id
    from catalogue_requests requests
    join users on users.id = requests.user_id
    where requests.offer_id = ${id}
      and requests.status in ('open', 'waiting')
      and requests.id <> all(${unchanged}::uuid[])
      and (${isOver} or ${isEnded(sql`${courseId}::uuid`)})
    limit ${BATCH}`.execute(tx);
  return rows;
}

/** The next people on the waiting list. */
async function findNext(tx: Tx, offer: LockedOffer, unchanged: string[], limit: number) {
  const { id, companyId, courseId, way, isOpen } = offer;
  if (way === "none" || !isOpen) return [];
  const { rows } = await sql<Request>`
    select requests.id, requests.user_id
    ${inLine(sql`${id}::uuid`, sql`${companyId}::uuid`, sql`${courseId}::uuid`)}
      and requests.id <> all(${unchanged}::uuid[])
    order by requests.waiting_since, requests.id
    limit ${limit}`.execute(tx);
  return rows;
}

type Outcome = "closed" | "enrolled" | "open";

/** Settles requests of an offer, and counts what became of them. */
async function settle(
  services: Services,
  tx: Tx,
  locked: LockedOffer,
  requests: Request[],
  unchanged: Set<string>,
): Promise<Partial<Record<Outcome, number>>> {
  if (requests.length === 0) return {};
  const userIds = requests.map(({ userId }) => userId);
  const { offer, people } = await lockPeople(tx, locked, userIds);
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const person of people) {
    const request = requests.find(({ userId }) => userId === person.id) as Request;
    const outcome = await settleOne(services, tx, offer, person, request.id);
    if (outcome) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    else unchanged.add(request.id);
  }
  for (const { id, userId } of requests) if (!people.some((person) => person.id === userId)) unchanged.add(id);
  return outcomes;
}

async function settleOne(
  services: Services,
  tx: Tx,
  offer: LockedOffer,
  person: LockedPerson,
  id: string,
): Promise<Outcome | null> {
  const { rows } = await sql<{ status: string }>`
    select status
    from catalogue_requests
    where id = ${id}
    for no key update`.execute(tx);
  const [request] = rows;
  // Erased meanwhile, or it was declined.
  if (!request || !["open", "waiting"].includes(request.status)) return null;
  const userId = person.id;
  const closed = await findReasonToClose(tx, offer, person);
  if (closed) {
    await sql`
      update catalogue_requests
      set status = 'closed', closed = ${closed}, decided_at = now()
      where id = ${id}`.execute(tx);
    if (closed === "offer") await notifyPerson(services, tx, offer, { userId, kind: "closed" });
    return "closed";
  }
  if (request.status !== "waiting" || person.isSuspended || offer.way === "none" || !offer.isOpen) return null;
  if ((await findMissing(tx, offer, userId)).length > 0) return null;
  const status = offer.way === "self" ? "enrolled" : "open";
  if (status === "enrolled") {
    await enrolPerson(tx, offer, userId, userId);
    await notifyPerson(services, tx, offer, { userId, kind: "placed" });
  }
  await sql`
    update catalogue_requests
    set status = ${status},
      decided_at = ${status === "enrolled" ? sql`now()` : null},
      told_to = null,
      told_admins = false,
      told_at = null,
      looked_at = null
    where id = ${id}`.execute(tx);
  return status;
}

type Closed = NonNullable<CatalogueRequest["closed"]>;

async function findReasonToClose(tx: Tx, offer: LockedOffer, { id, isHere }: LockedPerson): Promise<Closed | null> {
  if (!isHere) return "person";
  if (offer.isOver) return "offer";
  const enrolment = await lockEnrolment(tx, offer, id);
  if (enrolment && enrolment.status !== "withdrawn") return "has";
  return (await isTakenBack(tx, offer, id)) ? "taken" : null;
}
