import { sql } from "kysely";
import type { Services } from "#server/core/services.ts";
import { createCommitter } from "#server/player/commit.ts";
import { launchCourse } from "#server/player/launch.ts";
import { lastPageValues } from "#server/demo/demoVariables.ts";
import { backdateVisit, spreadCommits } from "#server/demo/demoHistoryRows.ts";
import { formatTimespan } from "#shared/player/runTimeData.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import type { User } from "#shared/core/users.ts";

/** An event of a visit; without `t`, it is placed so that the events are spread evenly. */
export type Step = Omit<SessionEvent, "seq" | "t"> & { t?: number };
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
        viewport: agent === 2 ? "390x844" : "1440x900",
      },
      userAgents[agent % userAgents.length] as string,
    );
    const start = at.toISOString();
    const end = new Date(at.getTime() + minutes * 60_000).toISOString();
    // Long enough ago for the events of the visit, but recent enough for the token of the session.
    const recentStart = new Date(Date.now() - minutes * 60_000).toISOString();
    await db.updateTable("sessions").set({ startedAt: recentStart }).where("id", "=", launch.sessionId).execute();
    const list = steps(launch);
    const events: SessionEvent[] = list.map((step, i) => ({
      seq: i + 1,
      t: Math.round((minutes * 60_000 * i) / list.length),
      ...step,
    }));
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
    await spreadCommits(services, launch.sessionId, start, late);
    await db
      .updateTable("answers")
      .set((e) => ({ updatedAt: sql`${start}::timestamptz + make_interval(secs => ${e.ref("t")} / 1000.0)` }))
      .where("sessionId", "=", launch.sessionId)
      .execute();
    await db
      .updateTable("variableValues")
      .set({ happenedAt: sql`${start}::timestamptz + (happened_at - ${recentStart}::timestamptz)`, recordedAt: end })
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

const set = (sco: string, key: string, value: string): Step => ({ type: "scorm.set", sco, key, value });
const share = (sco: string, key: string, value: string | number): Step => ({
  type: "variable.set",
  sco,
  key,
  value: JSON.stringify(value),
});

/** The five questions of "Phishing: see it, report it", with a right and a wrong response. */
const questions = [
  { id: "q1-owner", type: "choice", right: "b", wrong: "a" },
  { id: "q2-five-minutes", type: "choice", right: "a,c,d", wrong: "a,b,c" },
  { id: "q3-caller", type: "true-false", right: "f", wrong: "t" },
  { id: "q4-minutes", type: "numeric", right: "5", wrong: "30" },
  { id: "q5-gift-cards", type: "choice", right: "c", wrong: "b" },
];

/** A visit to the SCORM 1.2 course: the slides, and the quiz if `right` (per question) is given. */
export const phishing = (at: Date, minutes: number, slides: string[], right: boolean[] | null, first = 0): Visit => ({
  at,
  minutes,
  steps: (launch) => {
    const sco = launch.parts[0]?.sco as string;
    const responsesTo = (i: number, ok: boolean) => (ok ? questions[i]?.right : questions[i]?.wrong)?.split(",") ?? [];
    const q = Object.fromEntries(
      (right ?? []).map((ok, i) => [questions[i]?.id, { a: responsesTo(i, ok), ok: ok ? 1 : 0 }]),
    );
    const visitedSlides = right ? [...slides, ...questions.map(({ id }) => id), "result"] : slides;
    const state = { v: 1, seen: visitedSlides, x: {}, q };
    const score = right ? (right.filter(Boolean).length / right.length) * 100 : 0;
    return [
      { type: "nav", sco },
      { type: "scorm.init", sco },
      set(sco, "cmi.core.lesson_status", "incomplete"),
      ...visitedSlides.map((slide) => set(sco, "cmi.core.lesson_location", slide)),
      set(sco, "cmi.suspend_data", JSON.stringify(state)),
      ...(right ?? []).flatMap((ok, i): Step[] => {
        const question = questions[i] as (typeof questions)[number];
        const n = `cmi.interactions.${first + i}`;
        return [
          set(sco, `${n}.id`, question.id),
          set(sco, `${n}.type`, question.type),
          set(sco, `${n}.correct_responses.0.pattern`, question.right),
          set(sco, `${n}.student_response`, ok ? question.right : question.wrong),
          set(sco, `${n}.result`, ok ? "correct" : "wrong"),
          set(sco, `${n}.latency`, formatTimespan(9 + ((i * 7 + minutes) % 23))),
        ];
      }),
      ...(right
        ? [
            set(sco, "cmi.core.score.min", "0"),
            set(sco, "cmi.core.score.max", "100"),
            set(sco, "cmi.core.score.raw", String(score)),
            set(sco, "cmi.core.lesson_status", score >= 80 ? "passed" : "failed"),
            share(sco, "quiz_score", score),
          ]
        : []),
      set(sco, "cmi.core.session_time", formatTimespan(minutes * 60)),
      set(sco, "cmi.core.exit", right && score >= 80 ? "" : "suspend"),
      { type: "scorm.commit", sco },
      { type: "scorm.terminate", sco },
      { type: "exit" },
    ];
  },
});

/** The steps of the four parts of "Difficult conversations for team leads". */
const steps = [
  ["later", "p1-facts", "three", "p1-aim", "p1-setting", "end"],
  ["minute", "anatomy", "p2-order", "p2-sting", "aloud", "end"],
  ["answers", "p3-silence", "p3-match", "p3-echo", "p3-calm", "end"],
  ["chair", "scene", "own", "ready", "end"],
];

/** A visit to the SCORM 2004 course: completed `parts`, and optionally one part left halfway through. */
export const conversations = (at: Date, minutes: number, parts: number[], half: number | null = null): Visit => ({
  at,
  minutes,
  steps: (launch) => {
    const visitPart = (index: number, done: boolean): Step[] => {
      const sco = launch.parts[index]?.sco as string;
      const visitedSteps = steps[index]?.slice(0, done ? undefined : 3) ?? [];
      const state = {
        v: 1,
        seen: visitedSteps,
        x: {},
        c: Object.fromEntries(visitedSteps.filter((id) => /^p\d-/.test(id)).map((id) => [id, { first: 1, ok: 1 }])),
        done,
        won: done,
      };
      const scaled = (0.7 + ((index * 13 + minutes) % 30) / 100).toFixed(2);
      return [
        { type: "nav", sco },
        { type: "scorm.init", sco },
        set(sco, "cmi.completion_status", "incomplete"),
        set(sco, "cmi.location", visitedSteps.at(-1) ?? ""),
        set(sco, "cmi.suspend_data", JSON.stringify(state)),
        set(sco, "cmi.progress_measure", done ? "1" : "0.4"),
        ...(done && index === steps.length - 1
          ? lastPageValues(((at.getTime() / 1000) % 1000) / 1000).map(([key, value]) => share(sco, key, value))
          : []),
        ...(done
          ? [
              set(sco, "cmi.score.scaled", scaled),
              set(sco, "cmi.completion_status", "completed"),
              set(sco, "cmi.success_status", "passed"),
            ]
          : []),
        set(
          sco,
          "cmi.session_time",
          `PT${Math.max(1, Math.round(minutes / (parts.length + (half === null ? 0 : 1))))}M`,
        ),
        set(sco, "cmi.exit", done ? "normal" : "suspend"),
        { type: "scorm.terminate", sco },
      ];
    };
    return [
      ...parts.flatMap((part) => visitPart(part, true)),
      ...(half === null ? [] : visitPart(half, false)),
      { type: "exit" },
    ];
  },
});
