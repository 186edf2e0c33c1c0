import { toInstant } from "#web/core/format/zone.ts";
import type { EventValues } from "#web/events/editor/eventValues.ts";
import { eventPhase } from "#shared/eventStates.ts";
import type { AdminEvent, PublicEvent } from "#shared/eventViews.ts";

/** What the form would look like to a visitor once it is published. `pictures` are local addresses of files not stored yet. */
export function previewOf(
  values: EventValues,
  stored: AdminEvent | null,
  pictures: ReadonlyMap<string, string>,
  id: string,
): PublicEvent {
  const { timezone, registrationOpensLocal, registrationClosesLocal, cover, speakers } = values;
  const at = (wall: string | null) => (wall && isTime(wall) ? toInstant(wall, timezone).toISOString() : null);
  const startsAt = at(values.startsLocal) ?? new Date().toISOString();
  const endsAt = at(values.endsLocal) ?? startsAt;
  const [registrationOpensAt, registrationClosesAt] = [at(registrationOpensLocal), at(registrationClosesLocal)];
  const counts = stored?.counts;
  const status = stored?.status === "cancelled" ? ("cancelled" as const) : ("published" as const);
  const phase = eventPhase(
    {
      ...values,
      status,
      cancelledAt: stored?.cancelledAt ?? null,
      startsAt,
      endsAt,
      registrationOpensAt,
      registrationClosesAt,
    },
    { taken: counts?.seatsTaken ?? 0, takenOnline: counts?.seatsTakenOnline ?? 0, waiting: 0, waitingOnline: 0 },
    new Date(),
  );
  return {
    ...values,
    id,
    slug: values.slug || stored?.slug || "preview",
    startsAt,
    endsAt,
    registrationOpensAt,
    registrationClosesAt,
    phase,
    seatsLeft: null,
    seatsLeftOnline: null,
    calendarUrl: "#",
    myRegistration: null,
    questionVersion: 1,
    cancelReason: stored?.cancelReason ?? "",
    coverUrl: cover === null ? null : (pictures.get(cover) ?? stored?.coverUrl ?? null),
    speakers: speakers.map(({ photo, ...speaker }) => ({
      ...speaker,
      photoUrl: (photo && (pictures.get(photo) ?? storedPhoto(stored, speaker.id, photo))) ?? null,
    })),
  };
}

/** The address of a speaker's photo that is stored already. */
export const storedPhoto = (stored: AdminEvent | null, speakerId: string, path: string) =>
  stored?.speakers.some(({ id, photo }) => id === speakerId && photo === path)
    ? (stored.photoUrls[speakerId] ?? null)
    : null;

const isTime = (wall: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall);
