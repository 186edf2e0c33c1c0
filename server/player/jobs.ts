import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { sweepThrottles } from "#server/core/throttle.ts";
import { SILENCE_SECONDS } from "#shared/playerTiming.ts";

/** Every minute: a session without a sign of life is over; its active time counts up to the last one (research/learning 4.5). */
export const sweepSessions = job(
  "player:sweep",
  z.object({}),
  async ({ db, log }) => {
    await sweepThrottles(db);
    const silent = await db
      .updateTable("sessions")
      .set({ endedAt: sql`last_seen_at`, endReason: "timeout" })
      .where("endedAt", "is", null)
      .where("lastSeenAt", "<", sql<string>`now() - make_interval(secs => ${SILENCE_SECONDS})`)
      .returning("attemptId")
      .execute();
    if (silent.length === 0) return;
    await db
      .updateTable("attempts")
      .set((e) => ({ rev: e("rev", "+", 1) }))
      .where(
        "id",
        "in",
        silent.map(({ attemptId }) => attemptId),
      )
      .execute();
    log.info({ sessions: silent.length }, "silent sessions were closed");
  },
  "* * * * *",
);
