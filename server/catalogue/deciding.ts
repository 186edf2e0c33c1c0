import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { storeChange } from "#server/catalogue/changes.ts";
import { enrolPerson } from "#server/catalogue/enrolling.ts";
import { notifyPerson } from "#server/catalogue/notices.ts";
import {
  countPlaces,
  findMissing,
  type LockedOffer,
  lockOffer,
  lockPeople,
  storeNumbers,
} from "#server/catalogue/places.ts";
import { getRequest } from "#server/catalogue/requests.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import type { Decision, RequestStatus } from "#shared/catalogue/catalogue.ts";
import type { User } from "#shared/core/users.ts";

type Found = { offerId: string; userId: string };

/** SQL: a request that the caller may answer. Read again under the locks, so that a former manager cannot answer. */
const findRequest = async (tx: Tx, id: string, isMine: RawBuilder<boolean>): Promise<Found> => {
  const { rows } = await sql<Found>`
    select offer_id, user_id
    from catalogue_requests requests
    join users on users.id = requests.user_id
    where requests.id = ${id}
      and ${isMine}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
};

/** The answer of the person's manager of now, or of their deputy. */
export const decideForTeam = (ctx: Ctx<User>, id: string, decision: Decision) =>
  decideOne(
    ctx,
    id,
    decision,
    sql<boolean>`(
      exists (
        select from request_managers(requests.user_id, requests.company_id) answering
        where answering.user_id = ${ctx.user.id}
      )
      and requests.company_id = ${ctx.user.companyId}
      and users.company_id = requests.company_id
    )`,
    ["open"],
  );

/** The answer of an admin, who can also take people off a waiting list. */
export async function decide(ctx: Ctx<User>, id: string, decision: Decision) {
  const isMine = inScope(ctx.user, { company: "requests.companyId" });
  await decideOne(ctx, id, decision, isMine, decision.approve ? ["open"] : ["open", "waiting"]);
  return getRequest(ctx, id);
}

const decideOne = (
  ctx: Ctx<User>,
  id: string,
  { approve, reason }: Decision,
  isMine: RawBuilder<boolean>,
  from: RequestStatus[],
) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const { offerId, userId } = await findRequest(tx, id, isMine);
      const { offer, people } = await lockPeople(tx, await lockOffer(tx, offerId), [userId]);
      const [person] = people;
      await findRequest(tx, id, isMine);
      const { rows } = await sql<{ status: RequestStatus }>`
        select status
        from catalogue_requests
        where id = ${id}
        for no key update`.execute(tx);
      const status = rows[0]?.status;
      if (!status || !from.includes(status)) throw conflict("catalogue.decided");
      if (approve) {
        if (!person?.isHere || person.isSuspended) throw conflict("catalogue.gone");
        const numbers = await approveRequest(tx, offer, userId, ctx.user.id);
        if (numbers) await storeNumbers(tx, offerId, { ...numbers, taken: numbers.taken + 1, open: numbers.open - 1 });
      }
      await sql`
        update catalogue_requests
        set status = ${approve ? "enrolled" : "declined"},
          decided_at = now(),
          decided_by = ${ctx.user.id},
          waiting_since = case when status = 'waiting' then waiting_since end,
          reason = ${reason}
        where id = ${id}`.execute(tx);
      await record(tx, ctx, {
        action: approve ? "catalogue.approve" : "catalogue.decline",
        people: [userId],
        companyId: offer.companyId,
        courseId: offer.courseId,
      });
      const declined = status === "waiting" ? "takenOff" : "declined";
      await notifyPerson(ctx, tx, offer, { userId, kind: approve ? "approved" : declined, reason, by: ctx.user.id });
      if (!approve) {
        await storeNumbers(tx, offerId, await countPlaces(tx, offer, status === "waiting" ? -1 : 0));
        await storeChange(tx, offerId);
      }
    }),
  );

/** Enrols the person, if the offer and its places still allow it. Returns the numbers of places before. */
async function approveRequest(tx: Tx, offer: LockedOffer, userId: string, by: string) {
  if (!offer.isOpen) throw conflict(offer.isOver ? "catalogue.notOffered" : "catalogue.paused");
  const missing = await findMissing(tx, offer, userId);
  if (missing.length > 0) throw conflict("catalogue.missing", { missing });
  const numbers = await countPlaces(tx, offer);
  if (numbers && offer.places !== null && numbers.taken >= offer.places) throw conflict("catalogue.full");
  await enrolPerson(tx, offer, userId, by);
  return numbers;
}
