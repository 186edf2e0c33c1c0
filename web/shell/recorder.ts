import type { SessionEvent } from "#shared/player.ts";

type Part = Pick<SessionEvent, "type" | "sco" | "key" | "value">;

/** Numbers everything that happens, in order, and keeps what the server has not confirmed. The one source of `seq`. */
export function createRecorder(
  startedAt: number,
  lastSeq: number,
  send: (events: SessionEvent[], urgent: boolean) => void,
) {
  let seq = lastSeq;
  let unconfirmed: SessionEvent[] = [];
  let waiting: SessionEvent[] = [];
  let urgent = false;

  const pass = () => {
    const events = waiting;
    waiting = [];
    if (events.length > 0) send(events, urgent);
    urgent = false;
  };
  return {
    /** Takes one event; a burst within one task leaves together. `now` asks for a commit without delay. */
    record(part: Part, now = false) {
      const event: SessionEvent = { seq: ++seq, t: Math.max(0, Date.now() - startedAt), ...part };
      unconfirmed.push(event);
      if (waiting.length === 0) queueMicrotask(pass);
      waiting.push(event);
      urgent ||= now;
    },
    confirm(upTo: number) {
      unconfirmed = unconfirmed.filter((event) => event.seq > upTo);
    },
    unconfirmed: () => unconfirmed,
  };
}
export type Recorder = ReturnType<typeof createRecorder>;
