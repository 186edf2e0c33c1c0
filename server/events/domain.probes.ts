import { sql } from "kysely";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker, draftInput } from "#test/events.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  companyRows: {
    event_registrations: (companyId) => sql`t.event_id in (select id from events where company_id = ${companyId})`,
  },
  withoutCompany: [
    "register",
    "sendLink",
    "confirmEmail",
    "updateMine",
    "acceptOffer",
    "declineOffer",
    "cancelMine",
    "eraseMine",
  ].map((name) => `eventRegistrations.${name}`),
  async fill({ server, admin, company, own, tag }) {
    const ofCompany = { visibility: "company" as const, companyId: company.id };
    const event = await createEventMaker(server).createPublished(admin, ofCompany);
    const guest = { name: `Gerd ${tag}`, email: `gerd-${tag}@example.com`, state: "confirmed" as const };
    const registration = bodyOf(
      await server.as(admin)(eventRegistrations.add, { params: { id: event.id }, body: guest }),
    );
    const { id, version, startsLocal } = event;
    const ids = [registration.id];
    return {
      marks: [id, event.title, registration.id, guest.email],
      writes: {
        "events.create": { body: draftInput(ofCompany) },
        "events.update": { id, body: { version, title: "Taken over" } },
        "events.duplicate": { id, body: { title: "Copy", startsLocal, with: [] } },
        "events.publish": { id, body: { version } },
        "events.unpublish": { id, body: { version } },
        "events.cancel": { id, body: { version, reason: "No reason" } },
        "events.archive": { id, body: { version } },
        "events.remove": { id },
        "eventRegistrations.add": { id, body: { name: "New", email: "new@example.com", state: "confirmed" } },
        "eventRegistrations.approve": { id, body: { ids, reject: true } },
        "eventRegistrations.offerSeats": { id, body: { ids } },
        "eventRegistrations.cancel": { id, body: { ids, notify: false } },
        "eventRegistrations.sendMessage": { id, body: { filter: {}, subject: "Hello", text: "Hello" } },
        "eventRegistrations.invite": { id, body: { ids, companyId: own.company.id } },
        "eventRegistrations.checkInByTicket": { id, body: { ticket: registration.reference, device: "door" } },
        "eventRegistrations.checkIn": { id: registration.id, body: { device: "door" } },
        "eventRegistrations.undoCheckIn": { id: registration.id, body: {} },
      },
    };
  },
};
