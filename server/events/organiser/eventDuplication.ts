import type { Ctx } from "#server/core/http/http.ts";
import { findEvent } from "#server/events/eventChanges.ts";
import { createEvent } from "#server/events/service.ts";
import { type DuplicatePart, eventInput, type EventInput } from "#shared/events/eventInput.ts";
import type { events } from "#shared/events/events.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const FIELDS_BY_PART: Record<DuplicatePart, (keyof EventInput)[]> = {
  description: ["summary", "description", "category", "language"],
  cover: ["cover"],
  agenda: ["agenda"],
  speakers: ["speakers"],
  questions: ["questions"],
  seats: ["capacity", "capacityOnline", "waitlistEnabled", "waitlistMode", "offerMinutes"],
  registration: [
    "visibility",
    "companyId",
    "registrationMode",
    "externalUrl",
    "requireEmailConfirmation",
    "challenge",
    "modificationMode",
    "privacyNotice",
    "retentionDays",
    "indexable",
    "reminders",
    "followUpCourseId",
    "followUpCompanyId",
    "chatbotId",
  ],
};
const ALWAYS_COPIED: (keyof EventInput)[] = [
  "timezone",
  "attendanceMode",
  "venue",
  "onlineUrl",
  "joinOpensMinutes",
  "organiserName",
  "organiserKind",
  "organiserEmail",
];

/** Creates a draft of the same length from parts of an event. Access code and registration dates are not copied. */
export async function duplicateEvent(
  ctx: Ctx<User>,
  id: string,
  { title, startsLocal, with: parts }: BodyOf<typeof events.duplicate>,
) {
  const event = await findEvent(ctx, id);
  const source: EventInput = event;
  const copied = Object.fromEntries(
    [...ALWAYS_COPIED, ...parts.flatMap((part) => FIELDS_BY_PART[part])].map((field) => [field, source[field]]),
  ) as Partial<EventInput>;
  // Shifts local times, so that the length by the clock stays the same when daylight saving changes.
  const localMs = (local: string) => Date.parse(`${local}:00Z`);
  const shifted = (local: string) =>
    new Date(localMs(local) + localMs(startsLocal) - localMs(event.startsLocal)).toISOString().slice(0, 16);
  const agenda = copied.agenda?.map((item) => ({ ...item, startsAt: item.startsAt && shifted(item.startsAt) }));
  return createEvent(
    ctx,
    eventInput.parse({ ...copied, ...(agenda && { agenda }), title, startsLocal, endsLocal: shifted(event.endsLocal) }),
  );
}
