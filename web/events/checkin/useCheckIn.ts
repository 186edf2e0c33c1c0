import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { call } from "#web/core/api/api.ts";
import { ApiError, isCode } from "#web/core/api/http.ts";
import { messageOf } from "#web/core/api/messages.ts";
import { newId } from "#web/core/random.ts";
import { feedback } from "#web/events/checkin/feedback.ts";
import { mayPass, sendCheckIn, useCheckInQueue } from "#web/events/checkin/useCheckInQueue.ts";
import { type Kept } from "#web/events/checkin/checkInQueue.ts";
import {
  isExpected,
  type CheckInPerson,
  type CheckInOutcome,
  writeCheckInCache,
  type CachedCheckIn,
} from "#web/events/checkin/checkInCache.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";

const BATCH = 200;
const MOST = 5000;
/** The same code in front of the camera is one scan. */
const AGAIN_MS = 4000;

async function everybody(id: string) {
  const people: CheckInPerson[] = [];
  for (let page = 1; people.length < MOST; page++) {
    const { items, total } = await call(eventRegistrations.list, {
      params: { id },
      query: { page, size: BATCH, sort: "name" },
    });
    people.push(...items.map(isExpected));
    if (items.length < BATCH || people.length >= total) break;
  }
  return people;
}

/** The reference that a ticket begins with; it tells whose it is where no server can be asked. */
export const referenceOf = (ticket: string) => ticket.trim().split(".")[0]?.toUpperCase() ?? "";
/** A ticket, a reference, or something else that was scanned and no person typed: one word with a digit, and no address. */
export const looksLikeCode = (text: string) =>
  /^(?=.*\d)[^\s@]{8,}$/.test(text.trim()) || /^[0-9A-HJKMNP-TV-Z]{10}$/.test(text.trim());
export const looksLikeTicket = (text: string) => /^[0-9A-Z]{8,12}\.\d+\.[\w-]{16,}$/i.test(text.trim());

const none: CheckInPerson[] = [];
const isOf = ({ by, value }: Kept, person: CheckInPerson) =>
  by === "person" ? value === person.id : referenceOf(value) === person.reference;

/** Keeps the list on this device whenever it changes, for the reload without network. */
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

/** The door of one event: everybody who is expected, checking in by ticket or by name, taking it back, and what waits for the network. */
export function useCheckIn(id: string, kept: CachedCheckIn | null) {
  const client = useQueryClient();
  const key = useMemo(() => ["door", id], [id]);
  /** When the server said it last, in ms; a check-in here is no news from there. */
  const [asOf, setAsOf] = useState(kept?.at ?? 0);
  const load = async () => {
    const all = await everybody(id);
    setAsOf(Date.now());
    return all;
  };
  const {
    data: listed = none,
    isLoading,
    error,
  } = useQuery<CheckInPerson[], ApiError>({
    queryKey: key,
    queryFn: load,
    refetchInterval: 45_000,
    refetchOnMount: "always",
    staleTime: 10_000,
    retry: 1,
    ...(kept && { initialData: kept.people, initialDataUpdatedAt: kept.at }),
  });
  const [result, setResult] = useState<CheckInOutcome | null>(null);
  const last = useRef<{ text: string; at: number }>({ text: "", at: 0 });
  const put = useCallback(
    (row: CheckInPerson) =>
      client.setQueryData<CheckInPerson[]>(key, (before = []) =>
        before.some((one) => one.id === row.id)
          ? before.map((one) => (one.id === row.id ? isExpected(row) : one))
          : [...before, isExpected(row)],
      ),
    [client, key],
  );
  const queue = useCheckInQueue(id, put);
  // A list that is fetched while check-ins still wait here does not know of them.
  const people = useMemo(
    () =>
      queue.waiting.length === 0
        ? listed
        : listed.map((row) => ({
            ...row,
            attendedAt: row.attendedAt ?? queue.waiting.find((one) => isOf(one, row))?.at ?? null,
          })),
    [listed, queue.waiting],
  );

  const show = (next: Omit<CheckInOutcome, "at">) => {
    setResult({ ...next, at: Date.now() });
    feedback(next.outcome);
  };

  const run = async (by: "ticket" | "person", value: string, known: CheckInPerson | undefined) => {
    const entry = { id: newId(), eventId: id, by, value, at: new Date().toISOString(), name: known?.name ?? "" };
    try {
      const { outcome, registration } = await sendCheckIn(entry);
      put(registration);
      show({
        outcome,
        name: registration.name,
        person: registration,
        since: known?.attendedAt ?? registration.attendedAt,
      });
    } catch (failure) {
      if (isCode(failure, "events.ticketUnknown") || isCode(failure, "events.ticketReplaced"))
        return show({ outcome: "unknown", name: "", text: messageOf(failure) });
      if (!mayPass(failure)) return show({ outcome: "failed", name: known?.name ?? "", text: messageOf(failure) });
      if (known && known.state !== "confirmed")
        return show({ outcome: "not_confirmed", name: known.name, person: known });
      if (known?.attendedAt)
        return show({ outcome: "already", name: known.name, person: known, since: known.attendedAt });
      await queue.add(entry);
      if (known) put({ ...known, attendedAt: entry.at });
      show({ outcome: "kept", name: entry.name, keptId: entry.id, ...(known && { person: known }) });
    }
  };

  const scan = (text: string) => {
    const ticket = text.trim();
    if (ticket === last.current.text && Date.now() - last.current.at < AGAIN_MS) {
      last.current.at = Date.now();
      return;
    }
    last.current = { text: ticket, at: Date.now() };
    if (!looksLikeTicket(ticket)) return show({ outcome: "unknown", name: "", text: ticket.slice(0, 40) });
    void run(
      "ticket",
      ticket,
      people.find(({ reference }) => reference === referenceOf(ticket)),
    );
  };
  /** What was typed. Of a reference alone the server says how the person stands; nobody has it, nobody gets in. */
  const enter = (text: string) => {
    if (looksLikeTicket(text)) return scan(text);
    const person = people.find(({ reference }) => reference === text.trim().toUpperCase());
    if (person) void run("person", person.id, person);
    else show({ outcome: "unknown", name: "", text: text.trim().slice(0, 40) });
  };

  const undo = async ({ person, keptId, name }: CheckInOutcome) => {
    last.current = { text: "", at: 0 };
    try {
      const waiting = queue.waiting.find((one) => one.id === keptId || (person && isOf(one, person)));
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
    checkIn: (person: CheckInPerson) => void run("person", person.id, person),
    undo,
    queue,
    clear: () => setResult(null),
  };
}
