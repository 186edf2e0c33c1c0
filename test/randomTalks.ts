import { randomUUID } from "node:crypto";
import type { Db } from "#server/core/database/db.ts";
import { BUILTIN_ID } from "#shared/connectors/connectors.ts";
import type { Person } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

// Conversations with every state of an answer, for the figures of conversations

export const DAY_MS = 86_400_000;
/** A generator of numbers from 0 to 1, the same ones for the same seed. */
export const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
export type Said = {
  state: string;
  rating: "up" | "down" | null;
  cost: number | null;
  wait: number;
  giveAway: "hint" | "partial" | "full" | null;
  /** The version of the prompt. */
  prompt: string | null;
};
type Talk = {
  at: number;
  bot: string;
  user: string;
  course: string | null;
  isPreview: boolean;
  outcome: "goal" | "ended" | null;
  answers: Said[];
};

/** Conversations at random times of the forty days until a time, stored as rows. */
export async function addTalks(
  db: Db,
  seed: number,
  bots: string[],
  people: Person[],
  versions: string[],
  courseIds: string[],
  until = Date.now(),
): Promise<Talk[]> {
  const next = numbers(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T;
  const talks: Talk[] = [];
  for (let count = 0; count < 60; count++) {
    const at = until - Math.floor(next() * 40 * DAY_MS);
    const person = pick(people);
    const made: Talk = {
      at,
      bot: pick(bots),
      user: person.user.id,
      course: pick([null, ...courseIds]),
      isPreview: next() < 0.1,
      outcome: pick([null, null, "goal", "ended"] as const),
      answers: Array.from({ length: Math.floor(next() * 5) }, () => ({
        state: pick(["done", "done", "refused", "cut", "failed", "limited"]),
        rating: pick([null, null, "up", "down"] as const),
        cost: pick([null, 0, 120, 4000]),
        wait: 100 + Math.floor(next() * 4000),
        giveAway: pick([null, "hint", "partial", "full", "full"] as const),
        prompt: pick([null, ...versions]),
      })),
    };
    talks.push(made);
    const id = randomUUID();
    const time = (ms: number) => new Date(at + ms).toISOString();
    await db
      .insertInto("conversations")
      .values({
        id,
        chatbotId: made.bot,
        userId: made.user,
        courseId: made.course,
        companyId: person.user.companyId,
        isPreview: made.isPreview,
        startedAt: time(0),
        lastAt: time(60_000),
        outcome: made.outcome,
        endedAt: made.outcome && time(60_000),
        questions: made.answers.length,
      })
      .execute();
    for (const [index, { state, rating, cost, wait, giveAway, prompt }] of made.answers.entries()) {
      const createdAt = time(index * 10_000);
      const usageId = randomUUID();
      await db
        .insertInto("aiUsage")
        .values({
          id: usageId,
          purpose: "chat",
          connectorId: BUILTIN_ID,
          model: "m1",
          status: "done",
          promptVersionId: prompt,
          expiresAt: createdAt,
        })
        .execute();
      await addExchange(db, {
        conversationId: id,
        number: 2 * index + 1,
        question: { createdAt, text: `Question ${state}!` },
        answer: {
          createdAt,
          state: state as "done",
          rating,
          giveAway,
          connector: "Stand-in",
          model: "m1",
          usageId,
          tokensIn: 10,
          tokensOut: 5,
          costMicros: cost,
          firstAt: new Date(at + index * 10_000 + wait).toISOString(),
          finishedAt: new Date(at + index * 10_000 + wait * 2).toISOString(),
        },
      });
    }
  }
  return talks;
}

/** Learners answer a question of each course twenty days ago, one of them later than now. */
export async function addAnswers(db: Db, people: Person[], courseIds: string[]) {
  const tried = new Map<string, number>();
  for (const courseId of courseIds) {
    const { liveVersionId } = await db
      .selectFrom("courses")
      .where("id", "=", courseId)
      .select("liveVersionId")
      .executeTakeFirstOrThrow();
    for (const [place, { user }] of people.entries()) {
      const at = Date.now() - (place === 1 ? -1 : 20) * DAY_MS;
      tried.set(`${user.id} ${courseId}`, at);
      const attempt = await db
        .insertInto("attempts")
        .values({ userId: user.id, companyId: user.companyId!, courseId, versionId: liveVersionId!, no: 1 })
        .returning("id")
        .executeTakeFirstOrThrow();
      await db
        .insertInto("answers")
        .values({ attemptId: attempt.id, sco: "a", n: 0, updatedAt: new Date(at).toISOString() })
        .execute();
    }
  }
  return tried;
}
