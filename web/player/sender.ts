import { exchangeCommit } from "#web/player/exchange.ts";
import { forgetEvents, holdEvents } from "#web/player/journal.ts";
import { MAX_BATCH_EVENTS, COMMIT_INTERVAL_MS, firstBatch, HEARTBEAT_INTERVAL_MS } from "#shared/playerTiming.ts";
import type { AttemptState, Commit, SessionEvent } from "#shared/player.ts";

export type SaveState = { is: "ready" | "saving" | "retrying" | "elsewhere" | "ended" } | { is: "saved"; at: string };
type Hooks = {
  activeMs: () => number;
  onState: (state: SaveState) => void;
  onStored: (seq: number, attempt: AttemptState) => void;
};

const SLOWEST_MS = 15_000;

/**
 * Sends events in order, one commit at a time, within COMMIT_MS of the first; journals them before. No answer means: try
 * again, with growing pauses, and at once when the browser is online again. Ends when another window takes over.
 */
export function createSender(session: { sessionId: string; token: string }, hooks: Hooks) {
  let pending: SessionEvent[] = [];
  let acked = 0;
  let failed = 0;
  let streak = 0;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<boolean> | null = null;
  let lastSent = Date.now();
  let most = MAX_BATCH_EVENTS;

  const schedule = (ms: number) => {
    clearTimeout(timer);
    if (!over) timer = setTimeout(() => void flush(), ms);
  };
  const finish = (state: "elsewhere" | "ended") => {
    over = true;
    clearTimeout(timer);
    removeEventListener("online", wake);
    hooks.onState({ is: state });
  };

  const send = async (end?: Commit["end"]): Promise<boolean> => {
    const events = firstBatch(pending, most);
    if (events.length > 0) hooks.onState({ is: streak > 0 ? "retrying" : "saving" });
    lastSent = Date.now();
    const last = end && events.length === pending.length;
    const answer = await exchangeCommit(session, {
      events,
      activeMs: Math.round(hooks.activeMs()),
      failed,
      ...(last && { end }),
    });
    if (over) return false;
    if (answer.is === "stored") {
      const { receipt } = answer;
      streak = 0;
      most = MAX_BATCH_EVENTS;
      accept(receipt.ackSeq);
      hooks.onStored(receipt.ackSeq, receipt.attempt);
      if (receipt.session !== "live") {
        finish(receipt.session === "superseded" ? "elsewhere" : "ended");
        return true;
      }
      if (pending.length === 0) hooks.onState({ is: "saved", at: receipt.savedAt });
      return true;
    }
    if (answer.is === "gone") {
      finish("ended");
      return false;
    }
    if (answer.is === "gap") accept(answer.ackSeq);
    if (answer.is === "refused") {
      // The server will never take this batch: find the event it is about, and let its number pass without its content.
      if (events.length > 1) most = Math.ceil(events.length / 2);
      else pending = pending.map((event, at) => (at === 0 ? withoutContent(event) : event));
    }
    failed++;
    streak++;
    hooks.onState({ is: "retrying" });
    return false;
  };
  const accept = (seq: number) => {
    acked = Math.max(acked, seq);
    pending = pending.filter((event) => event.seq > acked);
    void forgetEvents(session.sessionId, acked).catch(() => {});
  };

  /** Sends until nothing is left or an answer fails to come. True when everything is stored. */
  const flush = async (end?: Commit["end"]): Promise<boolean> => {
    if (over) return pending.length === 0;
    while (running) await running;
    running = send(end).finally(() => {
      running = null;
    });
    const stored = await running;
    if (over) return pending.length === 0;
    if (!stored) {
      schedule(Math.min(SLOWEST_MS, 1000 * 2 ** Math.min(streak - 1, 5)) * (0.7 + Math.random() * 0.6));
      return false;
    }
    if (pending.length > 0) return flush(end);
    schedule(HEARTBEAT_INTERVAL_MS);
    return true;
  };
  const wake = () => {
    if (streak > 0) void flush();
  };
  addEventListener("online", wake);
  schedule(HEARTBEAT_INTERVAL_MS);

  return {
    add(events: SessionEvent[], urgent: boolean) {
      if (over) return;
      void holdEvents(session.sessionId, events).catch(() => {});
      const first = pending.length === 0;
      pending.push(...events);
      if (streak > 0) return;
      if (first) hooks.onState({ is: "saving" });
      if (urgent) schedule(50);
      else if (first) schedule(COMMIT_INTERVAL_MS);
    },
    flush,
    /** Called when the page comes back to front: a sleeping laptop's timers are late. */
    nudge: () => void (Date.now() - lastSent > HEARTBEAT_INTERVAL_MS || pending.length > 0 ? flush() : undefined),
    stop() {
      over = true;
      clearTimeout(timer);
      removeEventListener("online", wake);
    },
  };
}
export type Sender = ReturnType<typeof createSender>;

const withoutContent = ({ seq, t, key }: SessionEvent): SessionEvent => ({
  seq,
  t,
  type: "error",
  value: `refused: ${(key ?? "").slice(0, 200)}`,
});
