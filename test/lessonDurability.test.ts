import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import { answerEvent, choiceQuestion, choose, courseOf, insertCourseInto } from "#test/lessons.ts";
import { scaled } from "#test/long.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// Server and database are killed while learners answer graded questions

const LEARNERS = scaled(10, 20);
const ROUNDS = scaled(1, 25);
const QUESTIONS = 400;
const server = await createProcess();
afterAll(() => server.remove());

test(
  "no acknowledged answer is lost, and none counts twice",
  async () => {
    await server.start();
    const questions = Array.from({ length: QUESTIONS }, (_, n) => choiceQuestion(`Question ${n}`, { tries: 1 }));
    const course = courseOf({ id: "lesson-quiz", title: "Quiz", blocks: questions.map(({ block }) => block) });
    const people = await openClass(server.url, LEARNERS, async (admin) => {
      const { user } = await admin.call(auth.signIn, { body: ADMIN });
      return insertCourseInto(server.connection(), user as never, course);
    });
    let writing = true;
    /** How many questions each learner had answered, and acknowledged, at any time. */
    const acknowledged = people.map(() => 0);
    const isRight = (learner: number, n: number) => (learner + n) % 3 !== 0;
    const work = people.map(async ({ writer }, learner) => {
      writer.add([{ type: "nav", sco: "lesson-quiz" }]);
      for (let n = 0; writing && n < QUESTIONS; n++) {
        const { id, right, wrong } = questions[n]!;
        const { value, ...event } = answerEvent(id, choose(isRight(learner, n) ? right : wrong));
        writer.add([{ ...event, sco: "lesson-quiz", value: JSON.stringify(value) }]);
        if (await writer.flush()) acknowledged[learner] = n + 1;
        await sleep(20 + Math.random() * 40);
      }
    });
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(1000);
      await server.kill();
      await server.start();
      await sleep(500);
      process.kill(server.postgresPid(), "SIGKILL");
      await sleep(1000);
    }
    writing = false;
    await Promise.all(work);
    for (const { writer } of people)
      for (let tries = 0; tries < 120 && !(await writer.flush()); tries++) await sleep(250);

    for (const [learner, { session, writer }] of people.entries()) {
      expect(writer.held()).toBe(0);
      const [row] = await server.query<{ lesson: LessonState; answers: number }>(
        `select lesson, (select count(*)::int from answers where attempt_id = $1) as answers
        from part_states
        where attempt_id = $1`,
        [session.attemptId],
      );
      const answered = writer.last() - 1;
      expect(answered).toBeGreaterThanOrEqual(acknowledged[learner] ?? 0);
      expect(row?.answers).toBe(answered);
      const stored = questions.slice(0, answered).map(({ id }) => row?.lesson.answers[id]);
      expect(stored.map((answer) => [answer?.tries, answer?.share])).toEqual(
        stored.map((_, n) => [1, isRight(learner, n) ? 1 : 0]),
      );
    }
    expect(Math.min(...acknowledged)).toBeGreaterThan(0);
  },
  scaled(180_000, 900_000),
);
