import { sql } from "kysely";
import { expect, test } from "vitest";
import { recountLessons } from "#server/player/recountLessons.ts";
import { committer } from "#test/commits.ts";
import { getLesson, lessonRoom } from "#test/lessonRoom.ts";
import { answerEvent, choiceQuestion, choose, courseOf, lessonEvents, paragraph } from "#test/lessons.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, db } = server;
const send = committer(as);

test("the recount finds and repairs lessons that differ from their events", async () => {
  const first = choiceQuestion("Where does the second hook go?");
  const hidden = choiceQuestion("Only for those who answered wrong?");
  const block = {
    ...hidden.block,
    showWhen: { match: "all" as const, tests: [{ kind: "answer" as const, block: first.id, is: "wrong" as const }] },
  };
  const text = paragraph("Read this.", {
    showWhen: { match: "all", tests: [{ kind: "variable", key: "role", is: "equal", value: "Lead" }] },
  });
  const course = courseOf({ id: "lesson-quiz", title: "Quiz", blocks: [first.block, block, text] });
  const { launch } = await lessonRoom(server, course);
  const session = await launch();
  const { body } = await send(session, {
    events: lessonEvents("lesson-quiz", [
      { type: "nav" },
      { type: "variable.set", key: "role", value: "lead" },
      { type: "block.seen", key: first.id },
      answerEvent(first.id, choose(first.wrong)),
      answerEvent(first.id, choose(first.right)),
      { type: "lesson.end" },
    ]),
  });
  // The question for those who answered wrong is hidden again, and so not missing.
  expect(body.attempt).toMatchObject({ completion: "complete", scorePercent: 100 });
  const again = await launch({ takeOver: true, orphan: true });
  await send(again, { events: lessonEvents("lesson-quiz", [{ type: "nav" }, { type: "block.seen", key: text.id }]) });
  expect(await recountLessons(db)).toEqual([]);

  await sql`
    update part_states
    set completion = 'incomplete',
      score_percent = 0,
      lesson = jsonb_set(lesson, '{answers}', '{}')`.execute(db);
  expect(await recountLessons(db)).toMatchObject([
    {
      what: "lesson lesson-quiz of attempt",
      id: session.attemptId,
      stored: expect.stringContaining("incomplete passed 0"),
      recounted: expect.stringContaining("completed passed 100"),
    },
  ]);
  expect(await recountLessons(db)).toEqual([]);
  expect((await getLesson(server, again, "lesson-quiz")).body.state.answers[first.id]).toMatchObject({ tries: 2 });
});
