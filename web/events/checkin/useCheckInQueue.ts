import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { call } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { type QueuedCheckIn, readQueued, removeQueued, storeQueued } from "#web/events/checkin/checkInQueue.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

const RETRY_MS = 8000;
const DEVICE = "web";

/** Sends a check-in. Throws `ApiError`, with status 0 while offline. */
export const sendCheckIn = ({ by, eventId, value, at }: Pick<QueuedCheckIn, "by" | "eventId" | "value" | "at">) =>
  by === "ticket"
    ? call(eventRegistrations.checkInByTicket, { params: { id: eventId }, body: { ticket: value, device: DEVICE, at } })
    : call(eventRegistrations.checkIn, { params: { id: value }, body: { device: DEVICE, at } });

/** A transient failure: no reply, a server error, or too many requests. */
export const isTransient = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 0 || error.status >= 500 || error.status === 408 || error.status === 429);

/** Check-ins that wait for the network. They are sent in order once it is back, also after a reload. */
export function useCheckInQueue(eventId: string, onSent: (row: Registration) => void) {
  const [waiting, setWaiting] = useState<QueuedCheckIn[]>([]);
  const isFlushing = useRef(false);
  const onSentRef = useRef(onSent);
  useEffect(() => {
    onSentRef.current = onSent;
  });
  const refresh = useCallback(async () => setWaiting(await readQueued(eventId)), [eventId]);

  const flush = useCallback(async () => {
    if (isFlushing.current) return;
    isFlushing.current = true;
    try {
      for (const checkIn of await readQueued(eventId)) {
        if (checkIn.refused) continue;
        try {
          const { registration, outcome } = await sendCheckIn(checkIn);
          if (outcome === "not_confirmed") await storeQueued({ ...checkIn, name: registration.name, refused: outcome });
          else await removeQueued(checkIn.id);
          onSentRef.current(registration);
        } catch (error) {
          if (isTransient(error)) return;
          await storeQueued({ ...checkIn, refused: messageOf(error) });
        }
      }
    } finally {
      isFlushing.current = false;
      await refresh();
    }
  }, [eventId, refresh]);

  useEffect(() => {
    void refresh().then(flush);
    const retry = () => void flush();
    addEventListener("online", retry);
    const timer = setInterval(retry, RETRY_MS);
    return () => {
      removeEventListener("online", retry);
      clearInterval(timer);
    };
  }, [refresh, flush]);

  const pending = useMemo(() => waiting.filter(({ refused }) => !refused), [waiting]);
  return {
    waiting: pending,
    refused: waiting.filter(({ refused }) => refused),
    flush,
    add: async (checkIn: QueuedCheckIn) => {
      await storeQueued(checkIn);
      await refresh();
    },
    remove: async (id: string) => {
      await removeQueued(id);
      await refresh();
    },
  };
}
