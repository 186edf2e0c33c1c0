import type { SessionEvent } from "#shared/player/player.ts";

type EventInput = Pick<SessionEvent, "type" | "sco" | "key" | "value">;

type Hooks = {
  /** Called before `record` returns. */
  onRecorded: (event: SessionEvent) => void;
  send: (events: SessionEvent[], urgent: boolean) => void;
};

/**
 * Numbers all events of a session and keeps those that the server has not confirmed. No other code assigns `seq`.
 */
export function createRecorder(startedAt: number, lastSeq: number, { onRecorded, send }: Hooks) {
  let seq = lastSeq;
  let unconfirmed: SessionEvent[] = [];
  let queued: SessionEvent[] = [];
  let urgent = false;

  const flush = () => {
    const events = queued;
    queued = [];
    if (events.length > 0) send(events, urgent);
    urgent = false;
  };
  return {
    /** Records an event; all events of one task are sent together. `isUrgent` requests a commit without delay. */
    record(input: EventInput, isUrgent = false) {
      const event: SessionEvent = { seq: ++seq, t: Math.max(0, Date.now() - startedAt), ...input };
      unconfirmed.push(event);
      if (queued.length === 0) queueMicrotask(flush);
      queued.push(event);
      onRecorded(event);
      urgent ||= isUrgent;
    },
    confirm(upTo: number) {
      unconfirmed = unconfirmed.filter((event) => event.seq > upTo);
    },
    unconfirmed: () => unconfirmed,
    lastSeq: () => seq,
    /** Another recorder has numbered the events up to `upTo`. */
    continueAfter(upTo: number) {
      seq = Math.max(seq, upTo);
    },
  };
}
export type Recorder = ReturnType<typeof createRecorder>;
