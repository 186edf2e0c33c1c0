import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "#server/core/database/connection.ts";
import type { Log } from "#server/core/log.ts";

// How nodes keep their caches of people's access consistent: docs/decisions/0023-request-path.md

/** Channel on which triggers send the id of a user whose access has changed, or `*` for everybody (migration 0017). */
const CHANGES = "access_changes";
/**
 * Channel on which triggers send the id of a new user, `company <id>` for many new ones of a company, or `*` for more
 * (migration 0051).
 */
const NEW_PEOPLE = "new_people";
/**
 * On SYNC, a node that has made changes sends an id. Once the others have received all earlier changes, they answer
 * with it on SEEN.
 */
const SYNC = "access_sync";
const SEEN = "access_seen";
/** `application_name` of the connection on which a node listens; nodes count each other by it. */
const LISTENER = "lyceum access listener";

const HEARTBEAT_MS = 1000;
/** Cached access may be used for this long after the last successful heartbeat. */
const LEASE_MS = 3000;
const RETRY_MS = 500;

type Subscriber = (userId: string | null) => void;
/** Who is new: a person, many people of a company, or, with null, anybody. */
type NewPeople = { userId: string } | { companyId: string } | null;
export type AccessChanges = ReturnType<typeof createAccessChanges>;

/** Tells subscribers whose access has changed, on this node and on others. Starts with `start`. */
export function createAccessChanges(connection: Connection, log: Log) {
  const subscribers = new Set<Subscriber>();
  const newPeopleSubscribers = new Set<(people: NewPeople) => void>();
  const stopping = new AbortController();
  const waiting = new Map<string, { missing: number; done: () => void }>();
  /** When the last answered heartbeat was sent: every change committed before then has been received. */
  let confirmed: { monotonic: number; wall: number } | null = null;
  let ask: ((text: string, values?: unknown[]) => Promise<pg.QueryResult>) | null = null;
  let connected = Promise.withResolvers<void>();
  let running: Promise<void> | null = null;
  let unsettled = false;
  let settling: Promise<void> = Promise.resolve();

  const announce = (userId: string | null) => {
    for (const subscriber of subscribers) subscriber(userId);
  };
  const announceNew = (people: NewPeople) => {
    for (const subscriber of newPeopleSubscribers) subscriber(people);
  };
  function receive({ channel, payload = "" }: pg.Notification) {
    if (channel === CHANGES) announce(payload === "*" ? null : payload);
    if (channel !== NEW_PEOPLE) return;
    const [, companyId] = payload.split(" ");
    if (payload === "*") announceNew(null);
    else announceNew(companyId ? { companyId } : { userId: payload });
  }
  function announceAll() {
    announce(null);
    announceNew(null);
  }

  async function listen() {
    const client = new pg.Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: LEASE_MS,
    });
    const lost = new AbortController();
    client.on("error", () => lost.abort());
    client.on("end", () => lost.abort());
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    let queue: Promise<unknown> = Promise.resolve();
    const send = (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
      const sent = queue.then(() => client.query(text, values));
      queue = sent.catch(() => {});
      return sent;
    };
    client.on("notification", (message) => {
      receive(message);
      const { channel, payload = "" } = message;
      if (channel === SYNC && !waiting.has(payload))
        send("select pg_notify($1, $2)", [SEEN, payload]).catch(() => lost.abort());
      const sync = channel === SEEN ? waiting.get(payload) : undefined;
      if (sync && --sync.missing === 0) sync.done();
    });
    try {
      await client.connect();
      await send(
        `set synchronous_commit = off; listen ${CHANGES}; listen ${NEW_PEOPLE}; listen ${SYNC}; listen ${SEEN}`,
      );
      // From here on, other nodes count this one. Its caches are still empty.
      await send(`set application_name = '${LISTENER}'`);
      announceAll();
      ask = send;
      connected.resolve();
      while (!signal.aborted) {
        const sentAt = { monotonic: performance.now(), wall: Date.now() };
        await send("select");
        confirmed = sentAt;
        await sleep(HEARTBEAT_MS, null, { signal, ref: false }).catch(() => {});
      }
    } finally {
      ask = null;
      connected = Promise.withResolvers();
      confirmed = null;
      announceAll();
      await client.end().catch(() => {});
    }
  }

  async function run() {
    let isReported = false;
    while (!stopping.signal.aborted) {
      await listen().catch((error: Error) => {
        if (!isReported) log.warn({ err: error.message }, "not listening to changes of access; reading it each time");
        isReported = true;
      });
      await sleep(RETRY_MS, null, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  /** Waits until every other node has received the changes so far, or its lease has ended. */
  async function settle() {
    const until = sleep(LEASE_MS, null, { ref: false });
    const id = randomUUID();
    try {
      await Promise.race([connected.promise, until]);
      if (!ask) return;
      const { rows } = await ask(
        `select count(*)::int as others
        from pg_stat_activity
        where application_name = $1
          and datname = current_database()
          and pid <> pg_backend_pid()`,
        [LISTENER],
      );
      const missing = (rows[0] as { others: number }).others;
      if (missing === 0) return;
      const answered = new Promise<void>((done) => waiting.set(id, { missing, done }));
      await ask("select pg_notify($1, $2)", [SYNC, id]);
      await Promise.race([answered, until]);
    } catch {
      await until;
    } finally {
      waiting.delete(id);
    }
  }

  return {
    /**
     * Calls `subscriber` with the id of a user whose access may have changed; null for everybody. Returns a function
     * that unsubscribes.
     */
    subscribe: (subscriber: Subscriber) => {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    /** Calls `subscriber` with people who are new. `settled` does not wait for these. */
    subscribeToNewPeople: (subscriber: (people: NewPeople) => void) => {
      newPeopleSubscribers.add(subscriber);
      return () => void newPeopleSubscribers.delete(subscriber);
    },
    /**
     * Called for each new connection of a pool. PostgreSQL notifies the connection that commits a change before the
     * statement returns, so a node receives its own changes at once.
     */
    async follow(client: pg.ClientBase) {
      client.on("notification", (message) => {
        receive(message);
        const { channel, processId } = message;
        if (channel === CHANGES && processId === (client as unknown as { processID: number }).processID)
          unsettled = true;
      });
      await client.query(`listen ${CHANGES}; listen ${NEW_PEOPLE}`);
    },
    /** Whether every change committed more than LEASE_MS ago has been announced. If not, caches must not be used. */
    isCurrent() {
      if (!confirmed) return false;
      const wallMs = Math.abs(Date.now() - confirmed.wall);
      return performance.now() - confirmed.monotonic <= LEASE_MS && wallMs <= LEASE_MS;
    },
    /** Resolves when changes that this node has committed apply on every node; at once if there were none. */
    settled() {
      if (unsettled) {
        unsettled = false;
        settling = settle();
      }
      return settling;
    },
    start() {
      running ??= run();
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
