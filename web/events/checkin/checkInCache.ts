import { keepOffline, openOffline } from "#web/core/offline.ts";
import type { Registration } from "#shared/eventRegistrations.ts";

/** As much of a guest as the door needs: answers and everything else stay on the server. */
export type CheckInPerson = Pick<
  Registration,
  "id" | "reference" | "name" | "email" | "company" | "state" | "attendedAt" | "cancelledAt"
>;
export const isExpected = ({
  id,
  reference,
  name,
  email,
  company,
  state,
  attendedAt,
  cancelledAt,
}: CheckInPerson): CheckInPerson => ({ id, reference, name, email, company, state, attendedAt, cancelledAt });

/** What the last scan came to. `kept`: no network, it is sent later. */
export type CheckInOutcome = {
  at: number;
  outcome: "checked_in" | "already" | "not_confirmed" | "kept" | "unknown" | "failed" | "undone";
  name: string;
  text?: string;
  person?: CheckInPerson;
  keptId?: string;
  since?: string | null;
};

/** The list of one event as this device saw it last (`at`, ms), for the organiser who saw it. */
export type CachedCheckIn = { userId: string; title: string; endsAt: string; at: number; people: CheckInPerson[] };

const LISTS = "/door/list/";
/** A list leaves the device so long after its event, whoever forgets to sign out. */
const DAYS_MS = 2 * 86_400_000;

export const writeCheckInCache = (eventId: string, door: CachedCheckIn) =>
  keepOffline(LISTS + eventId, door, new Date(Date.parse(door.endsAt) + DAYS_MS));

/** What is kept for this event and this person; null when nothing is. */
export async function readCheckInCache(eventId: string, userId: string | undefined): Promise<CachedCheckIn | null> {
  const found = (await (await (await openOffline())?.match(LISTS + eventId))?.json()) as CachedCheckIn | undefined;
  return found?.userId === userId ? (found ?? null) : null;
}
