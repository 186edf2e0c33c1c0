import { setTimeout as sleep } from "node:timers/promises";
import { sql, type UpdateObject } from "kysely";
import { isTimeout, isUnavailable } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { leaseEnd } from "#server/core/lease.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import type { Services } from "#server/core/services.ts";
import { readTurn, type TurnRow } from "#server/conversations/turnRows.ts";
import type { TurnSource, TurnState, TurnWhy } from "#shared/conversations/conversations.ts";

/**
 * Interval of storing a growing answer, in ms. If the server is killed, later text is lost, and the answer ends as cut.
 */
const STORE_MS = 250;
/** A node renews the lease of an answer it writes within this time; afterwards the answer counts as cut. */
export const LEASE_SECONDS = 15;
/** Interval at which followers on this node get new text, in ms: a fast model writes many pieces in between. */
const SHOW_MS = 30;
/** Delays of retries to store the end of an answer, which has been paid for, in ms. */
const FINISH_RETRY_MS = [250, 1000, 4000, 10_000];
/** Maximum text held back until its word is complete. */
const MAX_HELD_CHARS = 40;

export type Listener = (added: { from: number; text: string } | "end") => void;
export type AnswerWriter = ReturnType<typeof createAnswerWriter>;
export type FinalState = Exclude<TurnState, "stored" | "waiting" | "streaming">;
type Final = {
  state: FinalState;
  code?: string | null;
  text?: string;
  sources?: TurnSource[];
  options?: string[];
  why?: TurnWhy | null;
  givesOrders?: boolean;
  usageId?: string | null;
  connector?: string | null;
  model?: string | null;
  tokensIn?: number | null;
  tokensOut?: number | null;
  costMicros?: number | null;
  hintStep?: number | null;
  giveAway?: "hint" | "partial" | "full" | null;
};

/**
 * Writes one answer: word by word to followers on this node, and a few times a second to the database, where reloads
 * and other nodes read it. `signal` cancels the call of the model, if the person stops it or nobody follows it any
 * more.
 */
export function createAnswerWriter({ db, log }: Services, turnId: string) {
  const listeners = new Set<Listener>();
  const stopping = new AbortController();
  let received = "";
  /** Characters that may be shown: up to the last space, or to the end of a script without spaces. */
  let complete = 0;
  /** Text received after them. */
  let held = "";
  let shown = 0;
  let showing: ReturnType<typeof setTimeout> | null = null;
  let storing: Promise<void> = Promise.resolve();
  let isStopped = false;
  let hasEnded = false;

  const store = async () => {
    const text = received.slice(0, complete);
    const row = await db
      .updateTable("turns")
      .set({
        text,
        state: text === "" ? sql`state` : "streaming",
        leasedUntil: leaseEnd(LEASE_SECONDS),
        ...(text !== "" && { firstAt: sql<string>`coalesce(first_at, now())` }),
      })
      .where("id", "=", turnId)
      .where("state", "in", ["waiting", "streaming"])
      .returning(["stopRequested", sql<boolean>`watched_until < now()`.as("isUnwatched")])
      .executeTakeFirst();
    if (!row || row.stopRequested) isStopped = true;
    if (!row || row.stopRequested || (row.isUnwatched && listeners.size === 0)) stopping.abort();
  };
  const timer = setInterval(() => {
    if (hasEnded) return;
    storing = storing.then(store).catch((error: unknown) => log.warn({ err: error }, "an answer could not be stored"));
  }, STORE_MS);
  timer.unref();

  const show = () => {
    if (showing) clearTimeout(showing);
    showing = null;
    if (complete <= shown) return;
    const added = { from: shown, text: received.slice(shown, complete) };
    shown = complete;
    for (const listener of listeners) listener(added);
  };
  const showSoon = () => {
    // The first words are shown immediately.
    if (shown === 0) show();
    else showing ??= setTimeout(show, SHOW_MS);
  };
  const storeFinal = async (final: UpdateObject<DB, "turns">) => {
    for (const pauseMs of [...FINISH_RETRY_MS, null])
      try {
        return await db
          .updateTable("turns")
          .set(final)
          .where("id", "=", turnId)
          .where("state", "in", ["waiting", "streaming"])
          .execute();
      } catch (error) {
        if (pauseMs === null || !(isUnavailable(error) || isTimeout(error))) throw error;
        await sleep(pauseMs);
      }
  };

  return {
    signal: stopping.signal,
    /** Whether the person has stopped it, rather than left. */
    isStopped: () => isStopped,
    text: () => received,
    write(text: string) {
      received += text;
      held += text;
      const space = Math.max(held.lastIndexOf(" "), held.lastIndexOf("\n")) + 1;
      const ready = held.length - space > MAX_HELD_CHARS ? held.length : space;
      complete += ready;
      held = held.slice(ready);
      showSoon();
    },
    stop() {
      isStopped = true;
      stopping.abort();
    },
    /** Calls the listener with the text shown so far from a character on, and with all later text. */
    follow(from: number, listener: Listener) {
      if (from < shown) listener({ from, text: received.slice(from, shown) });
      if (hasEnded) listener("end");
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Ends the answer and returns its row. Does not change an answer that was ended elsewhere meanwhile. */
    async finish({ state, text = received, sources, options, why, ...rest }: Final): Promise<TurnRow> {
      clearInterval(timer);
      await storing;
      if (text.startsWith(received)) {
        received = text;
        complete = text.length;
        show();
      }
      const stored = storeFinal({
        ...rest,
        state,
        text,
        ...(sources && { sources: JSON.stringify(sources) }),
        ...(options && { options: JSON.stringify(options) }),
        ...(why !== undefined && { why: why && JSON.stringify(why) }),
        ...(text !== "" && { firstAt: sql<string>`coalesce(first_at, now())` }),
        finishedAt: sql<string>`now()`,
        leasedUntil: null,
      });
      // Followers are released even if storing fails: a job ends the answer when its lease expires.
      await stored.finally(() => {
        hasEnded = true;
        if (showing) clearTimeout(showing);
        for (const listener of listeners) listener("end");
        listeners.clear();
      });
      await announceChange(db, { domain: "conversations" });
      return readTurn(db, turnId);
    },
  };
}

/** The answers that are being written on each node of this process. */
const writersOfNodes = new WeakMap<object, Map<string, AnswerWriter>>();
export const writersOf = ({ liveChanges }: Pick<Services, "liveChanges">) => {
  const writers = writersOfNodes.get(liveChanges) ?? new Map<string, AnswerWriter>();
  writersOfNodes.set(liveChanges, writers);
  return writers;
};
