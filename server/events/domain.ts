import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { eventJobs } from "#server/events/jobs.ts";
import { eraseRegistrations, personalData } from "#server/events/personalData.ts";
import { eventRoutes } from "#server/events/routes.ts";

const untilPurged = "until the retention period of the event ends";
const withEvent = "as long as the event";

export const events = defineDomain({
  name: "events",
  uses: ["courses", "learners"],
  routes: [eventRoutes],
  jobs: eventJobs,
  openTo: {
    guests: [
      "events.list",
      "events.show",
      "eventRegistrations.challenge",
      "eventRegistrations.register",
      "eventRegistrations.mine",
      "eventRegistrations.sendLink",
      "eventRegistrations.confirmEmail",
      "eventRegistrations.updateMine",
      "eventRegistrations.acceptOffer",
      "eventRegistrations.declineOffer",
      "eventRegistrations.cancelMine",
      "eventRegistrations.exportMine",
      "eventRegistrations.eraseMine",
    ],
  },
  personalData,
  erasure: { before: eraseRegistrations },
  tables: {
    events: {
      growth: rows(1, "event"),
      kept: "until an admin removes it",
      authors: { created_by: "Events you created", updated_by: "Events you last changed" },
      notPersonal: {
        "published text about the event": "title slug summary description category cancel_reason search",
        "place, times and language": "venue timezone language starts_local ends_local",
        "registration settings": "registration_opens_local registration_closes_local questions",
        "addresses and codes of the event": "external_url online_url access_code_hash cover",
        "programme and privacy notice as published by the organiser": "agenda speakers privacy_notice",
      },
      notExported: "published; the host's name and address are the organiser's",
    },
    event_slugs: {
      growth: rows(2, "event"),
      kept: withEvent,
      notPersonal: { "address of the event": "slug" },
    },
    event_question_versions: {
      growth: rows(2, "event"),
      kept: withEvent,
      notPersonal: { "questions of the form, not answers": "questions" },
    },
    event_privacy_notices: {
      growth: rows(1, "event"),
      kept: withEvent,
      notPersonal: { "published text": "text sha256" },
    },
    event_registrations: { growth: rows(40, "event"), kept: untilPurged },
    event_registration_log: {
      growth: rows(120, "event"),
      kept: untilPurged,
      authors: { by_user: "Your changes to registrations" },
      notPersonal: {
        "self, admin or system, and what was done": "actor action",
        "a reason or count by an organiser; deleted with the registration": "detail",
      },
    },
    event_check_ins: {
      growth: rows(30, "event"),
      kept: untilPurged,
      authors: { by_user: "People you checked in" },
      notPersonal: { "name of the check-in device": "device" },
    },
    event_mail_log: {
      growth: rows(120, "event"),
      kept: untilPurged,
      notPersonal: { "kind of email": "key" },
    },
  },
});
