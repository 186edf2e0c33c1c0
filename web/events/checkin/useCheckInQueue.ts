import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { call } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/api/http.ts";
import { messageOf } from "#web/core/api/messages.ts";
import { drop, keep, type Kept, readKept } from "#web/events/checkin/checkInQueue.ts";
import { eventRegistrations, type Registration } from "#shared/eventRegistrations.ts";

const TRY_MS = 8000;
const DEVICE = "web";

/** Sends one check-in. Throws `ApiError`; status 0 when there is no network. */
export const sendCheckIn = ({ by, eventId, value, at }: Pick<Kept, "by" | "eventId" | "value" | "at">) =>
  by === "ticket"
    ? call(eventRegistrations.checkInByTicket, { params: { id: eventId }, body: { ticket: value, device: DEVICE, at } })
    : call(eventRegistrations.checkIn, { params: { id: value }, body: { device: DEVICE, at } });

/** A failure that may pass: no answer, a server that is down, or too many at once. */
export const mayPass = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 0 || error.status >= 500 || error.status === 408 || error.status === 429);

/** Check-ins that wait for the network. They are sent in order as soon as it is back, also after a reload. */
export function useCheckInQueue(eventId: string, onSent: (row: Registration) => void) {
  const [waiting, setWaiting] = useState<Kept[]>([]);
  const running = useRef(false);
  const sent = useRef(onSent);
  useEffect(() => {
    sent.current = onSent;
  });
  const refresh = useCallback(async () => setWaiting(await readKept(eventId)), [eventId]);

  const flush = useCallback(async () => {
    if (running.current) return;
    running.current = true;
    try {
      for (const one of await readKept(eventId)) {
        if (one.refused) continue;
        try {
          const { registration, outcome } = await sendCheckIn(one);
          if (outcome === "not_confirmed") await keep({ ...one, name: registration.name, refused: outcome });
          else await drop(one.id);
          sent.current(registration);
        } catch (error) {
          if (mayPass(error)) return;
          await keep({ ...one, refused: messageOf(error) });
        }
      }
    } finally {
      running.current = false;
      await refresh();
    }
  }, [eventId, refresh]);

  useEffect(() => {
    void refresh().then(flush);
    const again = () => void flush();
    addEventListener("online", again);
    const timer = setInterval(again, TRY_MS);
    return () => {
      removeEventListener("online", again);
      clearInterval(timer);
    };
  }, [refresh, flush]);

  const open = useMemo(() => waiting.filter(({ refused }) => !refused), [waiting]);
  return {
    waiting: open,
    refused: waiting.filter(({ refused }) => refused),
    flush,
    add: async (one: Kept) => {
      await keep(one);
      await refresh();
    },
    remove: async (id: string) => {
      await drop(id);
      await refresh();
    },
  };
}
