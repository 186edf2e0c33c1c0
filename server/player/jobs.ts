import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { sweepThrottles } from "#server/core/limits/throttle.ts";
import { SESSION_TIMEOUT_SECONDS } from "#shared/player/playerTiming.ts";

/**
 * Runs every minute. Closes sessions without a recent commit as of their last commit, and deletes expired throttle
 * counters.
 */
export const closeSilentSessions = job(
  "player:sweep",
  z.object({}),
  async ({ db, log }) => {
    await sweepThrottles(db);
    const closed = await db
      .updateTable("sessions")
      .set({ endedAt: sql`last_seen_at`, endReason: "timeout" })
      .where("endedAt", "is", null)
      .where("lastSeenAt", "<", sql<string>`now() - make_interval(secs => ${SESSION_TIMEOUT_SECONDS})`)
      .returning("attemptId")
      .execute();
    if (closed.length === 0) return;
    await db
      .updateTable("attempts")
      .set((e) => ({ rev: e("rev", "+", 1) }))
      .where(
        "id",
        "in",
        closed.map(({ attemptId }) => attemptId),
      )
      .execute();
    log.info({ sessions: closed.length }, "closed sessions that timed out");
  },
  "* * * * *",
);
