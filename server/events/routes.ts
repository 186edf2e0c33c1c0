import type { FastifyReply, FastifyRequest } from "fastify";
import type { Mount } from "#server/core/http.ts";
import { networkOf } from "#server/core/network.ts";
import { checkIn, checkInByTicket, undoCheckIn } from "#server/events/checkin/checkIns.ts";
import { inviteGuests } from "#server/events/organiser/followUps.ts";
import { listAllEvents, listEvents } from "#server/events/public/eventLists.ts";
import { registrationLogOf } from "#server/events/registrations/registrationLog.ts";
import {
  addPerson,
  approve,
  cancelFor,
  listRegistrations,
  message,
  promote,
} from "#server/events/organiser/organiserRegistrations.ts";
import {
  acceptOffer,
  cancelSelfService,
  changeSelfService,
  confirmMailbox,
  declineOffer,
  eraseSelfService,
  exportSelfService,
  readSelfService,
} from "#server/events/registrations/selfService.ts";
import { challengeFor, registerFor, sendLink } from "#server/events/registrations/registrations.ts";
import {
  archiveEvent,
  cancelEvent,
  createEvent,
  duplicateEvent,
  getEvent,
  publishEvent,
  removeEvent,
  showEvent,
  unpublishEvent,
  updateEvent,
} from "#server/events/service.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { canManageEvents, canSeeEvents, events } from "#shared/events.ts";

type Http = { request: FastifyRequest; reply: FastifyReply };

export function eventRoutes(on: Mount) {
  const visit = ({ request }: Http, code?: string) => ({ network: networkOf(request.ip), code });
  /** What a link of a mail opens is for one person and for no cache. */
  const kept = ({ reply }: Http) => reply.header("cache-control", "no-store");

  on(events.list, canSeeEvents, (call) => listEvents(call, call.query));
  on(events.show, canSeeEvents, (call, http) => showEvent(call, call.params.slug, visit(http, call.query.code)));
  on(eventRegistrations.challenge, canSeeEvents, (call, http) => {
    kept(http);
    return challengeFor(call, call.params.slug, visit(http, call.query.code));
  });
  on(eventRegistrations.register, canSeeEvents, (call, http) =>
    registerFor(call, call.params.slug, call.body, visit(http)),
  );
  on(eventRegistrations.sendLink, canSeeEvents, (call, http) =>
    sendLink(call, call.params.slug, call.body, visit(http)),
  );
  on(eventRegistrations.mine, canSeeEvents, (call, http) => {
    kept(http);
    return readSelfService(call, call.params.token);
  });
  on(eventRegistrations.exportMine, canSeeEvents, (call, http) => {
    kept(http);
    return exportSelfService(call, call.params.token);
  });
  on(eventRegistrations.confirmEmail, canSeeEvents, (call) => confirmMailbox(call, call.params.token));
  on(eventRegistrations.updateMine, canSeeEvents, (call) => changeSelfService(call, call.params.token, call.body));
  on(eventRegistrations.acceptOffer, canSeeEvents, (call) => acceptOffer(call, call.params.token));
  on(eventRegistrations.declineOffer, canSeeEvents, (call) => declineOffer(call, call.params.token));
  on(eventRegistrations.cancelMine, canSeeEvents, (call) => cancelSelfService(call, call.params.token));
  on(eventRegistrations.eraseMine, canSeeEvents, (call) => eraseSelfService(call, call.params.token));

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
  on(eventRegistrations.add, canManageEvents, (call) => addPerson(call, call.params.id, call.body));
  on(eventRegistrations.approve, canManageEvents, (call) => approve(call, call.params.id, call.body));
  on(eventRegistrations.offerSeats, canManageEvents, (call) => promote(call, call.params.id, call.body));
  on(eventRegistrations.cancel, canManageEvents, (call) => cancelFor(call, call.params.id, call.body));
  on(eventRegistrations.sendMessage, canManageEvents, (call) => message(call, call.params.id, call.body));
  on(eventRegistrations.invite, canManageEvents, (call) => inviteGuests(call, call.params.id, call.body));
  on(eventRegistrations.log, canManageEvents, async (call) => ({
    items: await registrationLogOf(call, call.params.id),
  }));
  on(eventRegistrations.checkInByTicket, canManageEvents, (call) => checkInByTicket(call, call.params.id, call.body));
  on(eventRegistrations.checkIn, canManageEvents, (call) => checkIn(call, call.params.id, call.body));
  on(eventRegistrations.undoCheckIn, canManageEvents, (call) => undoCheckIn(call, call.params.id));
}
