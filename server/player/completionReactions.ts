import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Completion, Domain } from "#server/core/domains/domain.ts";
import { createRequestedWork } from "#server/core/requestedWork.ts";
import type { Services } from "#server/core/services.ts";

// What follows from a completed attempt, as the domains declare it under `completions` in their domain.ts. The rows of
// completion_queue are written by a trigger on completion_history, one for each domain that follows completions.

const DELAY_MS = 20;
/** How often a node looks for completions that another node or a crash has left, in ms. */
const POLL_MS = 60_000;
/** Completions of one domain that are handled before the next domain has its turn. */
const BATCH = 100;
/** A failed one is tried again after 10 s, 20 s, 40 s … at most an hour. */
const FIRST_RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 3600;

export type CompletionReactions = {
  /**
   * Runs in the transaction that has completed these attempts; null if no domain wants to. Throws only if the
   * transaction is lost.
   */
  runWithin: ((tx: Tx, attemptIds: string[]) => Promise<void>) | null;
  /** Runs in the transaction that has taken a completion back. */
  runWithdrawn: (tx: Tx, completion: Completion) => Promise<void>;
  /** Starts soon what follows after that transaction. */
  request: () => void;
};

/** By the pools of a server, for jobs that complete attempts. */
const started = new WeakMap<Services["pools"], CompletionReactions>();
const NO_REACTIONS: CompletionReactions = { runWithin: null, runWithdrawn: async () => {}, request: () => {} };
/** What the server of these services does after completions; nothing before it has started to follow them. */
export const reactionsOf = ({ pools }: Pick<Services, "pools">) => started.get(pools) ?? NO_REACTIONS;

/** Starts to follow completions for `domains`; `services` are those of jobs. Call `stop` before the pools end. */
export async function startCompletionReactions(services: Services, domains: readonly Domain[]) {
  const { db, log } = services;
  const within = domains.flatMap(({ name, completions }) =>
    completions?.within ? [{ name, react: completions.within }] : [],
  );
  const after = domains.flatMap(({ name, completions }) =>
    completions?.after ? [{ name, react: completions.after }] : [],
  );

  const withdrawn = domains.flatMap(({ completions }) => completions?.withdrawn ?? []);
  const runWithdrawn = async (tx: Tx, completion: Completion) => {
    await tx.deleteFrom("completionQueue").where("completionId", "=", completion.id).execute();
    for (const react of withdrawn) await react(tx, completion);
  };

  /** A reaction that throws is undone and logged; the completion and the other reactions stay. */
  const runWithin = async (tx: Tx, attemptIds: string[]) => {
    for (const completion of await readCompletions(tx, attemptIds))
      for (const { name, react } of within) {
        await sql`savepoint reaction`.execute(tx);
        try {
          await react(tx, completion);
          await sql`release savepoint reaction`.execute(tx);
        } catch (error) {
          log.error({ err: error, domain: name, completion: completion.id }, "a completion had no effect on a domain");
          await sql`rollback to savepoint reaction`.execute(tx);
        }
      }
  };

  /** Handles the next completion of a domain; false if there is none, or another node is at it. */
  const handleNext = async (name: string, react: (typeof after)[number]["react"]) => {
    let completion: Completion | undefined;
    try {
      return await inTransaction(db, async (tx) => {
        completion = await takeNext(tx, name);
        if (!completion) return false;
        await react(services, tx, completion);
        return true;
      });
    } catch (error) {
      if (!completion) throw error;
      log.error({ err: error, domain: name, completion: completion.id }, "a completion is handled again later");
      await postpone(services, name, completion.id);
      return true;
    }
  };

  const work = createRequestedWork(log, DELAY_MS, "completions could not be handled; tried again", async () => {
    let isMore = false;
    for (const { name, react } of after) {
      let handled = 0;
      while (handled < BATCH && (await handleNext(name, react))) handled++;
      isMore ||= handled === BATCH;
    }
    return isMore;
  });

  if (after.length > 0)
    await db
      .insertInto("completionFollowers")
      .values(after.map(({ name }) => ({ domain: name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const timer = setInterval(work.request, POLL_MS);
  timer.unref();
  work.request();
  const reactions = { runWithin: within.length > 0 ? runWithin : null, runWithdrawn, request: work.request };
  started.set(services.pools, reactions);
  return {
    reactions,
    async stop() {
      started.delete(services.pools);
      clearInterval(timer);
      await work.stop();
    },
  };
}

/** The last completion of each attempt. */
const readCompletions = (tx: Tx, attemptIds: string[]): Promise<Completion[]> =>
  tx
    .selectFrom("completionHistory")
    .innerJoin("attempts", "attempts.id", "completionHistory.attemptId")
    .where("attempts.id", "in", attemptIds)
    .whereRef("completionHistory.completionNo", "=", "attempts.completionNo")
    .orderBy("completionHistory.id")
    .selectAll("completionHistory")
    .execute();

/** Takes the oldest completion that is due out of the queue of a domain, unless another node is at this queue. */
async function takeNext(tx: Tx, domain: string): Promise<Completion | undefined> {
  const follower = await tx
    .selectFrom("completionFollowers")
    .where("domain", "=", domain)
    .forUpdate()
    .skipLocked()
    .select("domain")
    .executeTakeFirst();
  if (!follower) return undefined;
  const next = await tx
    .deleteFrom("completionQueue")
    .where("domain", "=", domain)
    .where("completionId", "=", (e) =>
      e
        .selectFrom("completionQueue")
        .where("domain", "=", domain)
        .where("dueAt", "<=", sql<string>`now()`)
        .orderBy("completionId")
        .limit(1)
        .select("completionId"),
    )
    .returning("completionId")
    .executeTakeFirst();
  if (!next) return undefined;
  return tx.selectFrom("completionHistory").where("id", "=", next.completionId).selectAll().executeTakeFirstOrThrow();
}

const postpone = ({ db }: Services, domain: string, completionId: number) =>
  sql`
    update completion_queue
    set
      failures = failures + 1,
      due_at = now() + make_interval(
        secs => least(${FIRST_RETRY_SECONDS} * power(2, least(failures, 20)), ${MAX_RETRY_SECONDS})
      )
    where domain = ${domain} and completion_id = ${completionId}`.execute(db);
