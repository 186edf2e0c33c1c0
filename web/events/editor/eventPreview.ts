import { toInstant } from "#web/core/format/zone.ts";
import type { EventValues } from "#web/events/editor/eventValues.ts";
import { eventPhase } from "#shared/events/eventPhases.ts";
import type { AdminEvent, PublicEvent } from "#shared/events/eventViews.ts";

/**
 * The event as visitors would see it once published. `pictures`: object URLs of images by path, before they are saved.
 */
export function eventPreview(
  values: EventValues,
  stored: AdminEvent | null,
  pictures: ReadonlyMap<string, string>,
  id: string,
): PublicEvent {
  const { timezone, registrationOpensLocal, registrationClosesLocal, cover, speakers } = values;
  const instantOf = (wall: string | null) =>
    wall && isLocalTime(wall) ? toInstant(wall, timezone).toISOString() : null;
  const startsAt = instantOf(values.startsLocal) ?? new Date().toISOString();
  const endsAt = instantOf(values.endsLocal) ?? startsAt;
  const [registrationOpensAt, registrationClosesAt] = [
    instantOf(registrationOpensLocal),
    instantOf(registrationClosesLocal),
  ];
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
    sendsMail: true,
    cancelReason: stored?.cancelReason ?? "",
    coverUrl: cover === null ? null : (pictures.get(cover) ?? stored?.coverUrl ?? null),
    speakers: speakers.map(({ photo, ...speaker }) => ({
      ...speaker,
      photoUrl: (photo && (pictures.get(photo) ?? storedPhoto(stored, speaker.id, photo))) ?? null,
    })),
  };
}

/** The URL of a stored speaker photo; null if it is not stored. */
export const storedPhoto = (stored: AdminEvent | null, speakerId: string, path: string) =>
  stored?.speakers.some(({ id, photo }) => id === speakerId && photo === path)
    ? (stored.photoUrls[speakerId] ?? null)
    : null;

const isLocalTime = (wall: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall);
