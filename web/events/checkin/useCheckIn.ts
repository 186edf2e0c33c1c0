import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { call } from "#web/core/api/api.ts";
import { ApiError, isCode } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { newId } from "#web/core/random.ts";
import { usePersistedState } from "#web/core/session/persistedState.ts";
import { feedback } from "#web/events/checkin/feedback.ts";
import { isTransient, sendCheckIn, useCheckInQueue } from "#web/events/checkin/useCheckInQueue.ts";
import type { QueuedCheckIn } from "#web/events/checkin/checkInQueue.ts";
import {
  toCheckInPerson,
  type CheckInPerson,
  type CheckInOutcome,
  writeCheckInCache,
  type CachedCheckIn,
} from "#web/events/checkin/checkInCache.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";

/** Guests per request, and guests at most. */
const PAGE_SIZE = 200;
const MAX_GUESTS = 5000;
/** The same code within this time is one scan. */
const REPEAT_MS = 4000;

async function loadGuests(id: string) {
  const people: CheckInPerson[] = [];
  for (let page = 1; people.length < MAX_GUESTS; page++) {
    const { items, total } = await call(eventRegistrations.list, {
      params: { id },
      query: { page, size: PAGE_SIZE, sort: "name" },
    });
    people.push(...items.map(toCheckInPerson));
    if (items.length < PAGE_SIZE || people.length >= total) break;
  }
  return people;
}

/** The reference at the start of a ticket; identifies the guest offline. */
export const referenceOf = (ticket: string) => ticket.trim().split(".")[0]?.toUpperCase() ?? "";
/**
 * Whether a text was scanned rather than typed: a ticket, a reference, or one word with a digit that is not an email
 * address.
 */
export const looksLikeCode = (text: string) =>
  /^(?=.*\d)[^\s@]{8,}$/.test(text.trim()) || /^[0-9A-HJKMNP-TV-Z]{10}$/.test(text.trim());
export const looksLikeTicket = (text: string) => /^[0-9A-Z]{8,12}\.\d+\.[\w-]{16,}$/i.test(text.trim());

const NO_PEOPLE: CheckInPerson[] = [];
const isCheckInOf = ({ by, value }: QueuedCheckIn, person: CheckInPerson) =>
  by === "person" ? value === person.id : referenceOf(value) === person.reference;

/** Caches the guest list whenever it changes, for a reload while offline. */
export function useCacheUpdates(
  eventId: string,
  userId: string | undefined,
  event: { title: string; endsAt: string } | undefined,
  { people, asOf, isLoading }: Pick<ReturnType<typeof useCheckIn>, "people" | "asOf" | "isLoading">,
) {
  useEffect(() => {
    if (!event || !userId || isLoading) return;
    const timer = setTimeout(
      () =>
        void writeCheckInCache(eventId, { userId, title: event.title, endsAt: event.endsAt, at: asOf, people }).catch(
          () => {},
        ),
      300,
    );
    return () => clearTimeout(timer);
  }, [eventId, userId, event, people, asOf, isLoading]);
}

/** Check-in of an event: the guest list, check-in by ticket or by name, undo, and the offline queue. */
export function useCheckIn(id: string, cached: CachedCheckIn | null) {
  const client = useQueryClient();
  const key = useMemo(() => ["check-in", id], [id]);
  /** When the list was last loaded from the server, in ms. */
  const [asOf, setAsOf] = useState(cached?.at ?? 0);
  const load = async () => {
    const loaded = await loadGuests(id);
    setAsOf(Date.now());
    return loaded;
  };
  const {
    data: listed = NO_PEOPLE,
    isLoading,
    error,
  } = useQuery<CheckInPerson[], ApiError>({
    queryKey: key,
    queryFn: load,
    refetchInterval: 45_000,
    refetchOnMount: "always",
    staleTime: 10_000,
    retry: 1,
    ...(cached && { initialData: cached.people, initialDataUpdatedAt: cached.at }),
  });
  const [result, setResult] = useState<CheckInOutcome | null>(null);
  const lastScan = useRef<{ text: string; at: number }>({ text: "", at: 0 });
  const put = useCallback(
    (row: CheckInPerson) =>
      client.setQueryData<CheckInPerson[]>(key, (before = []) =>
        before.some((person) => person.id === row.id)
          ? before.map((person) => (person.id === row.id ? toCheckInPerson(row) : person))
          : [...before, toCheckInPerson(row)],
      ),
    [client, key],
  );
  const queue = useCheckInQueue(id, put);
  // The list from the server does not contain check-ins that are still queued here.
  const people = useMemo(
    () =>
      queue.waiting.length === 0
        ? listed
        : listed.map((row) => ({
            ...row,
            attendedAt: row.attendedAt ?? queue.waiting.find((queued) => isCheckInOf(queued, row))?.at ?? null,
          })),
    [listed, queue.waiting],
  );

  const [isSoundOn, setSoundOn] = usePersistedState("check-in-sound", true);
  const show = (next: Omit<CheckInOutcome, "at">) => {
    setResult({ ...next, at: Date.now() });
    feedback(next.outcome, isSoundOn);
  };

  const checkInBy = async (by: "ticket" | "person", value: string, knownPerson: CheckInPerson | undefined) => {
    const entry = { id: newId(), eventId: id, by, value, at: new Date().toISOString(), name: knownPerson?.name ?? "" };
    try {
      const { outcome, registration } = await sendCheckIn(entry);
      put(registration);
      show({
        outcome,
        name: registration.name,
        person: registration,
        since: knownPerson?.attendedAt ?? registration.attendedAt,
      });
    } catch (failure) {
      if (isCode(failure, "events.ticketUnknown") || isCode(failure, "events.ticketReplaced"))
        return show({ outcome: "unknown", name: "", text: messageOf(failure) });
      if (!isTransient(failure))
        return show({ outcome: "failed", name: knownPerson?.name ?? "", text: messageOf(failure) });
      if (knownPerson && knownPerson.state !== "confirmed")
        return show({ outcome: "not_confirmed", name: knownPerson.name, person: knownPerson });
      if (knownPerson?.attendedAt)
        return show({ outcome: "already", name: knownPerson.name, person: knownPerson, since: knownPerson.attendedAt });
      await queue.add(entry);
      if (knownPerson) put({ ...knownPerson, attendedAt: entry.at });
      show({ outcome: "queued", name: entry.name, queuedId: entry.id, ...(knownPerson && { person: knownPerson }) });
    }
  };

  const scan = (text: string) => {
    const ticket = text.trim();
    if (ticket === lastScan.current.text && Date.now() - lastScan.current.at < REPEAT_MS) {
      lastScan.current.at = Date.now();
      return;
    }
    lastScan.current = { text: ticket, at: Date.now() };
    if (!looksLikeTicket(ticket)) return show({ outcome: "unknown", name: "", text: ticket.slice(0, 40) });
    void checkInBy(
      "ticket",
      ticket,
      people.find(({ reference }) => reference === referenceOf(ticket)),
    );
  };
  /** Handles typed input. A reference alone is checked in by its registration; an unknown one is refused. */
  const enter = (text: string) => {
    if (looksLikeTicket(text)) return scan(text);
    const person = people.find(({ reference }) => reference === text.trim().toUpperCase());
    if (person) void checkInBy("person", person.id, person);
    else show({ outcome: "unknown", name: "", text: text.trim().slice(0, 40) });
  };

  const undo = async ({ person, queuedId, name }: CheckInOutcome) => {
    lastScan.current = { text: "", at: 0 };
    try {
      const waiting = queue.waiting.find((queued) => queued.id === queuedId || (person && isCheckInOf(queued, person)));
      if (waiting) {
        await queue.remove(waiting.id);
        if (person) put({ ...person, attendedAt: null });
      } else if (person) put(await call(eventRegistrations.undoCheckIn, { params: { id: person.id } }));
      show({ outcome: "undone", name });
    } catch (failure) {
      show({ outcome: "failed", name, text: messageOf(failure), ...(person && { person }) });
    }
  };
  return {
    people,
    asOf,
    isLoading,
    error,
    result,
    scan,
    enter,
    checkIn: (person: CheckInPerson) => void checkInBy("person", person.id, person),
    undo,
    queue,
    isSoundOn,
    setSoundOn,
    clear: () => setResult(null),
  };
}
