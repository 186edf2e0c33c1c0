import { setTimeout as sleep } from "node:timers/promises";
import { auth } from "#shared/auth/auth.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import { answerEvent, choiceQuestion, choose, courseOf, insertCourseInto } from "#test/lessons.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, type Process } from "#test/process.ts";

type Server = Pick<Process, "url" | "connection" | "query">;

const QUESTIONS = 400;

/**
 * Learners who answer the graded questions of a lesson one after the other, each `pauseMs` after the last answer on
 * average, until `stop` is called.
 */
export async function answerMeanwhile(server: Server, { learners, pauseMs }: { learners: number; pauseMs: number }) {
  const questions = Array.from({ length: QUESTIONS }, (_, n) => choiceQuestion(`Question ${n}`, { tries: 1 }));
  const course = courseOf({ id: "lesson-quiz", title: "Quiz", blocks: questions.map(({ block }) => block) });
  const people = await openClass(server.url, learners, async (admin) => {
    const { user } = await admin.call(auth.signIn, { body: ADMIN });
    return insertCourseInto(server.connection(), user as never, course);
  });
  let isRunning = true;
  /** How many questions each learner had answered, and acknowledged, at any time. */
  const acknowledged = people.map(() => 0);
  const isRight = (learner: number, n: number) => (learner + n) % 3 !== 0;
  const work = people.map(async ({ writer }, learner) => {
    writer.add([{ type: "nav", sco: "lesson-quiz" }]);
    for (let n = 0; isRunning && n < QUESTIONS; n++) {
      const { id, right, wrong } = questions[n]!;
      const { value, ...event } = answerEvent(id, choose(isRight(learner, n) ? right : wrong));
      writer.add([{ ...event, sco: "lesson-quiz", value: JSON.stringify(value) }]);
      if (await writer.flush()) acknowledged[learner] = n + 1;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  });

  const readStored = async (attemptId: string) => {
    const [row] = await server.query<{ lesson: LessonState; answers: number }>(
      `select lesson, (select count(*)::int from answers where attempt_id = $1) as answers
      from part_states
      where attempt_id = $1`,
      [attemptId],
    );
    return row;
  };
  return {
    /**
     * Ends the work. For each learner: answers that were given, acknowledged and are stored, how many are held back, and
     * the stored tries and shares beside those that are right.
     */
    async stop() {
      isRunning = false;
      await Promise.all(work);
      for (const { writer } of people)
        for (let tries = 0; tries < 120 && !(await writer.flush()); tries++) await sleep(250);
      return Promise.all(
        people.map(async ({ session, writer }, learner) => {
          const row = await readStored(session.attemptId);
          const answered = writer.last() - 1;
          const asked = questions.slice(0, answered);
          return {
            answered,
            held: writer.held(),
            acknowledged: acknowledged[learner] ?? 0,
            stored: row?.answers,
            results: asked.map(({ id }) => [row?.lesson.answers[id]?.tries, row?.lesson.answers[id]?.share]),
            expected: asked.map((_, n) => [1, isRight(learner, n) ? 1 : 0]),
          };
        }),
      );
    },
  };
}
