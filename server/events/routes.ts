import type { FastifyReply, FastifyRequest } from "fastify";
import type { Mount } from "#server/core/http/http.ts";
import { networkOf } from "#server/core/limits/network.ts";
import { checkIn, checkInByTicket, undoCheckIn } from "#server/events/checkin/checkIns.ts";
import { inviteGuests } from "#server/events/organiser/followUps.ts";
import { listAllEvents, listEvents } from "#server/events/public/eventLists.ts";
import {
  addRegistration,
  approveRegistrations,
  cancelRegistrations,
  listRegistrations,
  readRegistrationLog,
  sendMessage,
  offerSeats,
} from "#server/events/organiser/organiserRegistrations.ts";
import {
  acceptOffer,
  cancelMyRegistration,
  updateMyRegistration,
  confirmEmail,
  declineOffer,
  eraseMyRegistration,
  exportMyRegistration,
  getMyRegistration,
} from "#server/events/registrations/selfService.ts";
import { challengeFor, registerFor, sendLink } from "#server/events/registrations/registrations.ts";
import { duplicateEvent } from "#server/events/organiser/eventDuplication.ts";
import { archiveEvent, cancelEvent, publishEvent, unpublishEvent } from "#server/events/statusChanges.ts";
import { createEvent, getEvent, removeEvent, showEvent, updateEvent } from "#server/events/service.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { canManageEvents, canSeeEvents, events } from "#shared/events/events.ts";

type Http = { request: FastifyRequest; reply: FastifyReply };

export function eventRoutes(on: Mount) {
  const visit = ({ request }: Http, code?: string) => ({ network: networkOf(request.ip), code });
  /** Pages opened by a link in an email are personal and must not be cached. */
  const preventCaching = ({ reply }: Http) => reply.header("cache-control", "no-store");

  on(events.list, canSeeEvents, (call) => listEvents(call, call.query));
  on(events.show, canSeeEvents, (call, http) => showEvent(call, call.params.slug, visit(http, call.query.code)));
  on(eventRegistrations.challenge, canSeeEvents, (call, http) => {
    preventCaching(http);
    return challengeFor(call, call.params.slug, visit(http, call.query.code));
  });
  on(eventRegistrations.register, canSeeEvents, (call, http) =>
    registerFor(call, call.params.slug, call.body, visit(http)),
  );
  on(eventRegistrations.sendLink, canSeeEvents, (call, http) =>
    sendLink(call, call.params.slug, call.body, visit(http)),
  );
  on(eventRegistrations.mine, canSeeEvents, (call, http) => {
    preventCaching(http);
    return getMyRegistration(call, call.params.token);
  });
  on(eventRegistrations.exportMine, canSeeEvents, (call, http) => {
    preventCaching(http);
    return exportMyRegistration(call, call.params.token);
  });
  on(eventRegistrations.confirmEmail, canSeeEvents, (call) => confirmEmail(call, call.params.token));
  on(eventRegistrations.updateMine, canSeeEvents, (call) => updateMyRegistration(call, call.params.token, call.body));
  on(eventRegistrations.acceptOffer, canSeeEvents, (call) => acceptOffer(call, call.params.token));
  on(eventRegistrations.declineOffer, canSeeEvents, (call) => declineOffer(call, call.params.token));
  on(eventRegistrations.cancelMine, canSeeEvents, (call) => cancelMyRegistration(call, call.params.token));
  on(eventRegistrations.eraseMine, canSeeEvents, (call) => eraseMyRegistration(call, call.params.token));

  on(events.listAll, canManageEvents, (call) => listAllEvents(call, call.query));
  on(events.get, canManageEvents, (call) => getEvent(call, call.params.id));
  on(events.create, canManageEvents, (call) => createEvent(call, call.body));
  on(events.update, canManageEvents, (call) => updateEvent(call, call.params.id, call.body));
  on(events.duplicate, canManageEvents, (call) => duplicateEvent(call, call.params.id, call.body));
  on(events.publish, canManageEvents, (call) => publishEvent(call, call.params.id, call.body.version));
  on(events.unpublish, canManageEvents, (call) => unpublishEvent(call, call.params.id, call.body.version));
  on(events.cancel, canManageEvents, (call) => cancelEvent(call, call.params.id, call.body));
  on(events.archive, canManageEvents, (call) => archiveEvent(call, call.params.id, call.body.version));
  on(events.remove, canManageEvents, (call) => removeEvent(call, call.params.id));
  on(eventRegistrations.list, canManageEvents, (call) => listRegistrations(call, call.params.id, call.query));
  on(eventRegistrations.add, canManageEvents, (call) => addRegistration(call, call.params.id, call.body));
  on(eventRegistrations.approve, canManageEvents, (call) => approveRegistrations(call, call.params.id, call.body));
  on(eventRegistrations.offerSeats, canManageEvents, (call) => offerSeats(call, call.params.id, call.body));
  on(eventRegistrations.cancel, canManageEvents, (call) => cancelRegistrations(call, call.params.id, call.body));
  on(eventRegistrations.sendMessage, canManageEvents, (call) => sendMessage(call, call.params.id, call.body));
  on(eventRegistrations.invite, canManageEvents, (call) => inviteGuests(call, call.params.id, call.body));
  on(eventRegistrations.log, canManageEvents, async (call) => ({
    items: await readRegistrationLog(call, call.params.id),
  }));
  on(eventRegistrations.checkInByTicket, canManageEvents, (call) => checkInByTicket(call, call.params.id, call.body));
  on(eventRegistrations.checkIn, canManageEvents, (call) => checkIn(call, call.params.id, call.body));
  on(eventRegistrations.undoCheckIn, canManageEvents, (call) => undoCheckIn(call, call.params.id));
}
