import { randomUUID } from "node:crypto";
import { createBot, publishBot } from "#server/chatbots/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import type { Step, Visit } from "#server/demo/demoHistory.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { formatDuration } from "#shared/player/runTimeData.ts";
import type { User } from "#shared/core/users.ts";

// The session of the demo that shows most in a replay: two parts with answers and values, a pause, a gap in the network
// and a chat.

const at = (minutes: number, seconds = 0) => (minutes * 60 + seconds) * 1000;
const set = (t: number, sco: string, key: string, value: string): Step => ({ t, type: "scorm.set", sco, key, value });
const share = (t: number, sco: string, key: string, value: string | number): Step => ({
  t,
  type: "variable.set",
  sco,
  key,
  value: JSON.stringify(value),
});

/**
 * A question of the course, shown at `since`, and the response; its elements follow within half a second, as packages
 * send them.
 */
function answer(
  t: number,
  sco: string,
  n: number,
  /** When the page opened: a second answer on a page is a second try at its question. */
  since: number,
  [question, response, isRight]: [string, string, boolean],
): Step[] {
  const name = `cmi.interactions.${n}`;
  return [
    set(t, sco, `${name}.id`, `talk-${since / 1000}`),
    set(t + 20, sco, `${name}.type`, "other"),
    set(t + 30, sco, `${name}.description`, question),
    set(t + 200, sco, `${name}.learner_response`, response),
    set(t + 210, sco, `${name}.result`, isRight ? "correct" : "incorrect"),
    set(t + 220, sco, `${name}.latency`, formatDuration((t - since) / 1000)),
    { t: t + 400, type: "scorm.commit", sco },
  ];
}
const place = (t: number, sco: string, value: string) => set(t, sco, "cmi.location", value);

/** The visit. The network was down for 33 seconds from 15:10 on. */
export const talkVisit = (start: Date): Visit => ({
  at: start,
  minutes: 29,
  late: { from: at(15, 10), to: at(15, 43) },
  steps: ({ parts }) => {
    const [, , third = "", fourth = ""] = parts.map(({ sco }) => sco);
    const open = (t: number, sco: string): Step[] => [
      { t, type: "nav", sco },
      { t: t + 300, type: "scorm.init", sco },
      set(t + 500, sco, "cmi.completion_status", "incomplete"),
    ];
    const close = (t: number, sco: string): Step[] => [
      set(t, sco, "cmi.score.scaled", "0.86"),
      set(t + 40, sco, "cmi.progress_measure", "1"),
      set(t + 60, sco, "cmi.completion_status", "completed"),
      set(t + 80, sco, "cmi.success_status", "passed"),
      set(t + 100, sco, "cmi.exit", "normal"),
      { t: t + 120, type: "scorm.terminate", sco },
    ];
    return [
      { t: 0, type: "launch", value: "1440x900" },
      ...open(900, third),
      place(at(0, 2), third, "answers"),
      place(at(1, 10), third, "p3-silence"),
      ...answer(at(1, 52), third, 0, at(1, 10), ["Three seconds of silence: what do you do?", "Wait", true]),
      place(at(2, 4), third, "p3-match"),
      ...answer(at(2, 40), third, 1, at(2, 4), [
        "Which answer shows that you listened?",
        "I know what you mean",
        false,
      ]),
      ...answer(at(3, 5), third, 2, at(2, 4), ["Which answer shows that you listened?", "You had no briefing", true]),
      place(at(3, 20), third, "p3-echo"),
      ...answer(at(5, 14), third, 3, at(3, 20), ["Repeat in your own words", "The handover came late", true]),
      place(at(5, 31), third, "p3-calm"),
      { t: at(5, 40), type: "visibility", value: "hidden" },
      { t: at(12, 52), type: "visibility", value: "visible" },
      ...answer(at(13, 20), third, 4, at(5, 31), ["What calms a conversation down?", "A slower voice", true]),
      place(at(13, 48), third, "end"),
      ...close(at(14, 0), third),
      ...open(at(14, 2), fourth),
      place(at(14, 4), fourth, "chair"),
      place(at(14, 45), fourth, "scene"),
      share(at(15, 14), fourth, "situation", "Late handovers"),
      share(at(15, 32), fourth, "readiness", 4),
      ...answer(at(16, 8), fourth, 0, at(14, 45), [
        "What did you see? Say it without a judgement",
        "Four late handovers",
        true,
      ]),
      place(at(17, 0), fourth, "own"),
      share(
        at(25, 20),
        fourth,
        "first_sentence",
        "Four times this month the shift began without a briefing. What happened?",
      ),
      ...answer(at(26, 5), fourth, 1, at(17), ["When do you speak to him?", "Today, after the shift", true]),
      place(at(26, 30), fourth, "ready"),
      share(at(27, 10), fourth, "readiness", 8),
      place(at(27, 30), fourth, "end"),
      ...close(at(28, 20), fourth),
      { t: at(28, 24), type: "exit" },
    ];
  },
});

/** Ms that an answer takes until its first and its last word. */
const WAITS = { first: 1200, last: 2600 };
/** What the learner and the chatbot say, from minute 18 on. */
const talk = [
  "Per, can I have a minute? It is about the handover.",
  "Sure. But the trucks are waiting.",
  "On Monday and Wednesday the handover came after four. The night crew had to start without it.",
  "Well, nobody told me it was that urgent. You could have called.",
  "I could have called, that is true. What made it late?",
  "The forms. I fill in the same thing three times.",
  "Which of the three do you need for the night crew?",
  "Only the first one, honestly.",
  "Then bring that one at half past three, and the others can wait. Does that work?",
  "Yes. That I can do.",
];

/** Gives a session a conversation with a chatbot that plays the colleague. */
export async function addTalk(ctx: Ctx<User>, { db }: Services, learner: User) {
  const bot = await createBot(ctx, {
    name: "Mira",
    settings: botSettings.parse({
      description: "Plays a colleague, so that team leads can practise a conversation.",
      allCompanies: true,
    }),
  });
  await publishBot(ctx, bot.id, { version: bot.version, note: "" });
  const session = await db
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .where("sessions.userId", "=", learner.id)
    .orderBy("sessions.activeMs", "desc")
    .select(["sessions.id", "attemptId", "courseId", "sessions.startedAt"])
    .executeTakeFirstOrThrow();
  const time = (t: number) => new Date(Date.parse(session.startedAt) + t).toISOString();
  const begun = at(18, 4);
  const { id } = await db
    .insertInto("conversations")
    .values({
      chatbotId: bot.id,
      userId: learner.id,
      companyId: learner.companyId,
      courseId: session.courseId,
      attemptId: session.attemptId,
      sessionId: session.id,
      title: "About the handover",
      channel: "course",
      startedAt: time(begun),
      lastAt: time(begun + (talk.length - 2) * 38_000 + WAITS.last),
      questions: talk.length / 2,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  let parentId: string | null = null;
  for (const [i, text] of talk.entries()) {
    const isQuestion = i % 2 === 0;
    const asked = begun + (i - (i % 2)) * 38_000;
    const createdAt = time(asked);
    const turnId = randomUUID();
    await db
      .insertInto("turns")
      .values({
        id: turnId,
        conversationId: id,
        parentId,
        number: i + 1,
        role: isQuestion ? "user" : "assistant",
        state: isQuestion ? "stored" : "done",
        text,
        createdAt,
        firstAt: isQuestion ? null : time(asked + WAITS.first),
        finishedAt: isQuestion ? null : time(asked + WAITS.last),
      })
      .execute();
    parentId = turnId;
  }
}
