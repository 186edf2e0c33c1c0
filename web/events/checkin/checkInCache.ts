import { openOfflineCache, storeOffline } from "#web/core/offline.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

/** The data of a guest that check-in needs. Answers and everything else stay on the server. */
export type CheckInPerson = Pick<
  Registration,
  "id" | "reference" | "name" | "email" | "company" | "state" | "attendedAt" | "cancelledAt"
>;
export const toCheckInPerson = ({
  id,
  reference,
  name,
  email,
  company,
  state,
  attendedAt,
  cancelledAt,
}: CheckInPerson): CheckInPerson => ({ id, reference, name, email, company, state, attendedAt, cancelledAt });

/** The result of the last check-in. `queued`: offline, sent later. */
export type CheckInOutcome = {
  at: number;
  outcome: "checked_in" | "already" | "not_confirmed" | "queued" | "unknown" | "failed" | "undone";
  name: string;
  text?: string;
  person?: CheckInPerson;
  queuedId?: string;
  since?: string | null;
};

/** The guest list of an event as last loaded on this device (`at`, ms), by the user `userId`. */
export type CachedCheckIn = { userId: string; title: string; endsAt: string; at: number; people: CheckInPerson[] };

const LISTS = "/check-in/list/";
/** A list is deleted this long after its event, even without a sign-out. */
const RETENTION_MS = 2 * 86_400_000;

export const writeCheckInCache = (eventId: string, list: CachedCheckIn) =>
  storeOffline(LISTS + eventId, list, new Date(Date.parse(list.endsAt) + RETENTION_MS));

/** The cached list of an event for this user; null without one. */
export async function readCheckInCache(eventId: string, userId: string | undefined): Promise<CachedCheckIn | null> {
  const found = (await (await (await openOfflineCache())?.match(LISTS + eventId))?.json()) as CachedCheckIn | undefined;
  return found?.userId === userId ? (found ?? null) : null;
}
