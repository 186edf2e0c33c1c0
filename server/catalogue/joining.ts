import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { enrolPerson, isTakenBack, lockRequest, storeRequest } from "#server/catalogue/enrolling.ts";
import { requestFollow, requestTelling, storeChange } from "#server/catalogue/changes.ts";
import { readDetail } from "#server/catalogue/detail.ts";
import {
  countPlaces,
  countWaiting,
  findMissing,
  lockEnrolment,
  type LockedOffer,
  lockOffer,
  lockPeople,
  type Numbers,
  storeNumbers,
} from "#server/catalogue/places.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { withdrawUnstarted } from "#server/courses/giving/leaving.ts";
import type { catalogue, JoinWay } from "#shared/catalogue/catalogue.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// What learners do with an offer of their company

/**
 * Runs `change`, which returns the new numbers of places if they changed, under the locks of the offer, the person and
 * the course; 404 for the offer of another company.
 */
async function changeOwn(
  ctx: Ctx<User>,
  offerId: string,
  change: (tx: Tx, offer: LockedOffer) => Promise<Numbers | null>,
  { alsoIfOver = false } = {},
) {
  const { user } = ctx;
  await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const known = await tx
        .selectFrom("catalogueOffers")
        .where("id", "=", offerId)
        .where("companyId", "=", user.companyId)
        .select("id")
        .executeTakeFirst();
      if (!known) throw notFound();
      const { offer, people } = await lockPeople(tx, await lockOffer(tx, offerId), [user.id]);
      const [person] = people;
      if (!person?.isHere || person.isSuspended) throw notFound();
      if (!alsoIfOver && !(offer.isOpen && offer.isVisible)) throw notFound();
      await storeNumbers(tx, offerId, await change(tx, offer));
    }),
  );
}

const actions = { enrol: "catalogue.enrol", ask: "catalogue.ask", wait: "catalogue.wait" } as const;

/** Enrols the caller, asks for the course, or puts them on its waiting list. What they have already stays as it is. */
export async function join(ctx: Ctx<User>, offerId: string, { as, note }: BodyOf<typeof catalogue.join>) {
  const { user } = ctx;
  await changeOwn(ctx, offerId, async (tx, offer) => {
    if (await isJoined(tx, offer, user.id, as)) return null;
    const numbers = await checkWay(tx, offer, user.id, as);
    if (as === "enrol") await enrolPerson(tx, offer, user.id, user.id);
    const status = ({ enrol: "enrolled", ask: "open", wait: "waiting" } as const)[as];
    await storeRequest(tx, offer, user.id, { status, note });
    await record(tx, ctx, {
      action: actions[as],
      people: [user.id],
      companyId: offer.companyId,
      courseId: offer.courseId,
    });
    if (as === "ask") await requestTelling(tx);
    if (as === "wait") await requestFollow(tx);
    if (!numbers) return null;
    const added = { enrol: "taken", ask: "open", wait: "waiting" } as const;
    return { ...numbers, [added[as]]: numbers[added[as]] + 1 };
  });
  return readDetail(ctx, offerId);
}

/** True if the person has the course, by whatever reason, a request or a place on the waiting list. */
async function isJoined(tx: Tx, offer: LockedOffer, userId: string, as: JoinWay) {
  const request = await lockRequest(tx, offer.id, userId);
  if (request?.status === "open" || request?.status === "waiting") return true;
  const enrolment = await lockEnrolment(tx, offer, userId);
  if (!enrolment || enrolment.status === "withdrawn") return false;
  if (as !== "enrol") throw conflict("catalogue.have");
  return true;
}

/** Throws 409 unless the offer allows this to the person now. Returns the numbers of the places that it counted. */
async function checkWay(tx: Tx, offer: LockedOffer, userId: string, as: JoinWay) {
  const { way } = offer;
  const isOtherWay = way === "none" || (as === "enrol" && way !== "self") || (as === "ask" && way !== "request");
  if (isOtherWay) throw conflict("catalogue.otherWay");
  if (await isTakenBack(tx, offer, userId)) throw conflict("catalogue.takenBack");
  const missing = await findMissing(tx, offer, userId);
  if (missing.length > 0) throw conflict("catalogue.missing", { missing });
  const numbers = await countPlaces(tx, offer);
  const free = numbers && offer.places !== null ? offer.places - numbers.taken - numbers.open : Infinity;
  // A free place belongs to the waiting list.
  const isFull = free <= 0 || (free < Infinity && (await countWaiting(tx, offer, free)) >= free);
  if (as !== "wait" && isFull) throw conflict("catalogue.full");
  if (as === "wait" && !isFull) throw conflict("catalogue.notFull");
  return numbers;
}

/** Withdraws one's request, or leaves the waiting list. */
export async function withdrawRequest(ctx: Ctx<User>, offerId: string) {
  const { user } = ctx;
  await changeOwn(
    ctx,
    offerId,
    async (tx, offer) => {
      const request = await lockRequest(tx, offerId, user.id);
      if (request?.status !== "open" && request?.status !== "waiting") throw conflict("catalogue.notWaiting");
      await sql`
        update catalogue_requests
        set status = 'withdrawn', decided_at = now()
        where id = ${request.id}`.execute(tx);
      await record(tx, ctx, {
        action: "catalogue.withdraw",
        people: [user.id],
        companyId: offer.companyId,
        courseId: offer.courseId,
      });
      await storeChange(tx, offerId);
      return countPlaces(tx, offer, request.status === "waiting" ? -1 : 0);
    },
    { alsoIfOver: true },
  );
  return readDetail(ctx, offerId);
}

/** Gives back a course that the caller took from the catalogue and has not started. Other reasons keep it. */
export async function leave(ctx: Ctx<User>, offerId: string) {
  const { user } = ctx;
  await changeOwn(
    ctx,
    offerId,
    async (tx, offer) => {
      const enrolment = await lockEnrolment(tx, offer, user.id);
      const { rows: ended } = await sql<{ id: string }>`
        update enrolment_reasons
        set until = greatest(now(), since), ended = 'left', ended_by = ${user.id}
        where enrolment_id = ${enrolment?.id ?? null}::uuid
          and rule_id = ${offerId}
          and kind = 'self'
          and until is null
        returning id`.execute(tx);
      if (!enrolment || ended.length === 0) throw conflict("catalogue.notTaken");
      if (enrolment.status !== "assigned") throw conflict("catalogue.started");
      await withdrawUnstarted(tx, [{ enrolmentId: enrolment.id, ruleId: offerId }]);
      const { rows: kept } = await sql`
        select
        from enrolment_reasons
        where enrolment_id = ${enrolment.id}
          and kind = 'kept'
          and rule_id = ${offerId}
          and until is null`.execute(tx);
      if (kept.length > 0) throw conflict("catalogue.started");
      await sql`
        update catalogue_requests
        set status = 'left', decided_at = now()
        where offer_id = ${offerId}
          and user_id = ${user.id}`.execute(tx);
      await record(tx, ctx, {
        action: "catalogue.leave",
        people: [user.id],
        companyId: offer.companyId,
        courseId: offer.courseId,
      });
      await storeChange(tx, offerId);
      return countPlaces(tx, offer);
    },
    { alsoIfOver: true },
  );
  return readDetail(ctx, offerId);
}
