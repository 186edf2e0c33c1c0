import { sql } from "kysely";
import type { Services } from "#server/core/services.ts";
import { createCommitter } from "#server/player/commit.ts";
import { launchCourse } from "#server/player/launch.ts";
import { backdateVisit, moveQuizzes, SENT_SECONDS, spreadCommits } from "#server/demo/demoHistoryRows.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import type { User } from "#shared/core/users.ts";

/** An event of a visit; the events are in the order of their times. */
export type Step = Omit<SessionEvent, "seq">;
/** `late`: when the browser was offline, in ms since the start. */
export type Visit = {
  at: Date;
  minutes: number;
  steps: (launch: Launch) => Step[];
  late?: { from: number; to: number };
};
type CourseInCompany = { companyId: string; courseId: string };

const userAgents = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/26.0 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
];

/**
 * Returns a function that replays a visit with the launch and commits of a browser, and moves its times into the past.
 */
export function createHistory(services: Services) {
  const { db } = services;
  const { commit } = createCommitter(services);
  return async function visit(user: User, target: CourseInCompany, { at, minutes, steps, late }: Visit, agent: number) {
    const launch = await launchCourse(
      { ...services, user },
      target,
      {
        clientId: `demo-${user.id}`,
        takeOver: true,
        orphan: false,
        newAttempt: false,
        viewport: agent % userAgents.length === 2 ? "390x844" : "1440x900",
      },
      userAgents[agent % userAgents.length] as string,
    );
    const start = at.toISOString();
    const end = new Date(at.getTime() + minutes * 60_000).toISOString();
    // Long enough ago for the events of the visit, but recent enough for the token of the session.
    const recentStart = new Date(Date.now() - minutes * 60_000).toISOString();
    await db.updateTable("sessions").set({ startedAt: recentStart }).where("id", "=", launch.sessionId).execute();
    const events: SessionEvent[] = steps(launch).map((step, i) => ({ seq: i + 1, ...step }));
    await commit(launch.sessionId, launch.token, {
      events,
      activeMs: Math.round(minutes * 60_000 * 0.92),
      failed: late ? 4 : 0,
      end: "exit",
    });
    await db
      .updateTable("sessions")
      .set({ startedAt: start, lastSeenAt: end, endedAt: end })
      .where("id", "=", launch.sessionId)
      .execute();
    await moveQuizzes(db, launch.attemptId, recentStart, start);
    await spreadCommits(services, launch.sessionId, start, late);
    await db
      .updateTable("answers")
      .set((e) => ({ updatedAt: sql`${start}::timestamptz + make_interval(secs => ${e.ref("t")} / 1000.0)` }))
      .where("sessionId", "=", launch.sessionId)
      .execute();
    await db
      .updateTable("variableValues")
      .set({
        // In server time, so that nothing precedes the value that it follows from.
        happenedAt: sql`${start}::timestamptz
          + (happened_at - ${recentStart}::timestamptz)
          + make_interval(secs => ${SENT_SECONDS})`,
        recordedAt: end,
      })
      .where("sessionId", "=", launch.sessionId)
      .execute();
    const backdated = (column: string) =>
      sql<string>`case
        when ${sql.ref(column)} >= ${recentStart}::timestamptz
          then ${start}::timestamptz + (${sql.ref(column)} - ${recentStart}::timestamptz)
        else ${sql.ref(column)}
      end`;
    await db
      .updateTable("attempts")
      .set({
        startedAt: sql`least(started_at, ${start}::timestamptz)`,
        lastActivityAt: end,
        completedAt: backdated("completed_at"),
      })
      .where("id", "=", launch.attemptId)
      .execute();
    await db
      .updateTable("enrolments")
      .set({
        firstStartedAt: sql`least(first_started_at, ${start}::timestamptz)`,
        assignedAt: sql`least(assigned_at, ${start}::timestamptz - interval '6 days')`,
        lastActivityAt: end,
        happenedAt: end,
        completedAt: backdated("completed_at"),
      })
      .where("userId", "=", user.id)
      .where("courseId", "=", target.courseId)
      .execute();
    await db
      .updateTable("users")
      .set({
        lastActive: end,
        lastLoginAt: start,
        createdAt: sql`least(created_at, ${start}::timestamptz - interval '3 days')`,
      })
      .where("id", "=", user.id)
      .execute();
    await backdateVisit(services, launch.attemptId, start, end);
  };
}
