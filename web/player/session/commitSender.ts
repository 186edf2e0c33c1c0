import { deleteEvents, saveEvents } from "#web/player/session/journal.ts";
import { sendCommit } from "#web/player/session/sendCommit.ts";
import type { Commit, Receipt, SessionEvent } from "#shared/player/player.ts";
import {
  COMMIT_INTERVAL_MS,
  firstBatch,
  HEARTBEAT_INTERVAL_MS,
  MAX_BATCH_EVENTS,
} from "#shared/player/playerTiming.ts";

export type SaveState =
  | { status: "ready" | "saving" | "retrying" | "elsewhere" }
  | { status: "saved"; at: string }
  | { status: "ended"; isStartedOver?: boolean };
type Hooks = {
  activeMs: () => number;
  onState: (state: SaveState) => void;
  /** All events up to `seq` are in the journal. */
  onJournaled: (seq: number) => void;
  onStored: (seq: number, receipt: Receipt) => void;
};

const MAX_RETRY_DELAY_MS = 15_000;
const URGENT_DELAY_MS = 50;

/**
 * Sends the events of a session in order, one commit at a time, within COMMIT_INTERVAL_MS, and stores them in the
 * journal first. Without a response it retries with increasing delays, and immediately when the browser is back online.
 * Stops when another window takes over.
 */
export function createSender(session: { sessionId: string; token: string }, hooks: Hooks) {
  let pending: SessionEvent[] = [];
  let acked = 0;
  let failed = 0;
  let failuresInARow = 0;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<boolean> | null = null;
  let lastSent = Date.now();
  let onTheWay = 0;
  let batchLimit = MAX_BATCH_EVENTS;

  const schedule = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void flush(), ms);
  };
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    removeEventListener("online", retryNow);
  };
  const finish = (state: SaveState) => {
    stop();
    hooks.onState(state);
  };

  /** Sends the next batch; true if it was stored. */
  const send = async (end?: Commit["end"]): Promise<boolean> => {
    const events = firstBatch(pending, batchLimit);
    if (events.length > 0) hooks.onState({ status: failuresInARow > 0 ? "retrying" : "saving" });
    lastSent = Date.now();
    onTheWay = events.at(-1)?.seq ?? onTheWay;
    const isLastBatch = events.length === pending.length;
    const outcome = await sendCommit(session, {
      events,
      activeMs: Math.round(hooks.activeMs()),
      failed,
      ...(end && isLastBatch && { end }),
    });
    if (isStopped) return false;
    if (outcome.status === "stored") {
      onReceipt(outcome.receipt);
      return true;
    }
    if (outcome.status === "unknownSession") {
      finish({ status: "ended" });
      return false;
    }
    if (outcome.status === "gap") acknowledge(outcome.ackSeq);
    if (outcome.status === "rejected") {
      // Halve the batch until the rejected event is found, then send its number without its content.
      if (events.length > 1) batchLimit = Math.ceil(events.length / 2);
      else pending = pending.map((event, index) => (index === 0 ? withoutContent(event) : event));
    }
    failed++;
    failuresInARow++;
    hooks.onState({ status: "retrying" });
    return false;
  };
  const onReceipt = (receipt: Receipt) => {
    failuresInARow = 0;
    batchLimit = MAX_BATCH_EVENTS;
    acknowledge(receipt.ackSeq);
    hooks.onStored(receipt.ackSeq, receipt);
    const { session, isStartedOver = false } = receipt;
    if (session !== "live")
      finish(session === "superseded" ? { status: "elsewhere" } : { status: "ended", isStartedOver });
    else if (pending.length === 0) hooks.onState({ status: "saved", at: receipt.savedAt });
  };
  const acknowledge = (seq: number) => {
    acked = Math.max(acked, seq);
    pending = pending.filter((event) => event.seq > acked);
    void deleteEvents(session.sessionId, acked).catch(() => {});
  };

  /** Sends until nothing is pending or a commit fails. True if everything is stored. */
  const flush = async (end?: Commit["end"]): Promise<boolean> => {
    if (isStopped) return pending.length === 0;
    // Another caller may have started the next commit.
    for (let current = running; current; current = running) await current;
    running = send(end).finally(() => {
      running = null;
    });
    const stored = await running;
    if (isStopped) return pending.length === 0;
    if (!stored) {
      const delay = Math.min(MAX_RETRY_DELAY_MS, 1000 * 2 ** Math.min(failuresInARow - 1, 5));
      schedule(delay * (0.7 + Math.random() * 0.6));
      return false;
    }
    if (pending.length > 0) return flush(end);
    schedule(HEARTBEAT_INTERVAL_MS);
    return true;
  };
  const retryNow = () => {
    if (failuresInARow > 0) void flush();
  };
  addEventListener("online", retryNow);
  schedule(HEARTBEAT_INTERVAL_MS);

  return {
    add(events: SessionEvent[], urgent: boolean) {
      if (isStopped) return;
      const lastSeq = events.at(-1)?.seq ?? 0;
      void saveEvents(session.sessionId, events).then(
        (isJournaled) => isJournaled && hooks.onJournaled(lastSeq),
        () => {},
      );
      const wasEmpty = pending.length === 0;
      pending.push(...events);
      if (failuresInARow > 0) return;
      if (wasEmpty) hooks.onState({ status: "saving" });
      if (urgent) schedule(URGENT_DELAY_MS);
      else if (wasEmpty) schedule(COMMIT_INTERVAL_MS);
    },
    flush,
    /**
     * Commits if a heartbeat or a commit is overdue. Call it when the page becomes visible: timers do not run during
     * sleep.
     */
    flushIfOverdue() {
      if (Date.now() - lastSent > HEARTBEAT_INTERVAL_MS || pending.length > 0) void flush();
    },
    /**
     * The page closes: what is not on its way is sent at once, without waiting for the commit before it. If it arrives
     * first, the server refuses it, and it is sent from the journal at the next launch.
     */
    sendClosing() {
      const rest = pending.filter(({ seq }) => running === null || seq > onTheWay);
      if (isStopped) return;
      const events = firstBatch(rest, batchLimit);
      void sendCommit(session, {
        events,
        activeMs: Math.round(hooks.activeMs()),
        failed,
        ...(events.length === rest.length && { end: "tab_closed" }),
      });
    },
    stop,
  };
}

const withoutContent = ({ seq, t, key }: SessionEvent): SessionEvent => ({
  seq,
  t,
  type: "error",
  value: `refused: ${(key ?? "").slice(0, 200)}`,
});
