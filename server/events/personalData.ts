import { sql } from "kysely";
import {
  addressedTo,
  contract,
  COUNTER,
  emptyText,
  interest,
  OTHER_PERSON,
  type Person,
  type PersonalData,
  SAME_PERSON,
  SECRET,
} from "#server/core/domains/personalData.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { eraseRegistration } from "#server/events/registrations/selfService.ts";

/** Registrations of the account, and those with its verified email address. */
const ownRegistrations = (person: Person) =>
  sql<boolean>`purged_at is null and (
    event_registrations.user_id = ${person.id}
    or ${addressedTo("event_registrations.email", person)}
  )`;
const inOwnRegistrations = (person: Person) =>
  sql<boolean>`registration_id in (select id from event_registrations where ${ownRegistrations(person)})`;

/** Erases the person's registrations, which releases their seats. */
export async function eraseRegistrations(ctx: Ctx, person: Person) {
  const registrations = await ctx.db
    .selectFrom("eventRegistrations")
    .where(ownRegistrations(person))
    .select(["id", "eventId"])
    .execute();
  for (const registration of registrations) await eraseRegistration(ctx, registration);
}

const untilPurged = "Until the retention period of the event ends";

export const personalData: PersonalData = {
  entries: [
    {
      key: "guest",
      table: "event_registrations",
      what: "Events you registered for",
      fate: "delete",
      why: "Only needed for your account; your seat is released",
      where: ownRegistrations,
    },
    {
      key: "events.host",
      table: "events",
      what: "Your details as organiser of an event",
      fate: "delete",
      why: "Only your contact details are removed",
      where: (person) => addressedTo("organiser_email", person),
      set: { organiser_email: emptyText, organiser_name: emptyText },
    },
  ],
  sections: [
    {
      key: "eventRegistrations",
      purpose: "Taking part in events",
      basis: contract,
      retention: "For the period stated in the event's privacy notice",
      table: "event_registrations",
      joins: "join events on events.id = event_registrations.event_id",
      extra: "events.title as event, events.starts_at, events.timezone as event_timezone",
      omit: { user_id: SAME_PERSON, manage_token_hash: SECRET, version: COUNTER },
      keys: ["id"],
      where: ownRegistrations,
    },
    {
      key: "eventRegistrationLog",
      purpose: "Tracing what happened to a registration",
      basis: interest,
      retention: untilPurged,
      table: "event_registration_log",
      omit: { by_user: OTHER_PERSON },
      keys: ["id"],
      where: inOwnRegistrations,
    },
    {
      key: "eventCheckIns",
      purpose: "Attendance at events",
      basis: contract,
      retention: untilPurged,
      table: "event_check_ins",
      omit: { by_user: OTHER_PERSON },
      keys: ["id"],
      where: inOwnRegistrations,
    },
  ],
};
