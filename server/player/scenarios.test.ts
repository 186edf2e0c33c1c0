import { expect, test } from "vitest";
import { committer } from "#test/commits.ts";
import { getLesson, lessonRoom } from "#test/lessonRoom.ts";
import { courseOf, lessonEvents, newId, paragraph, words } from "#test/lessons.ts";
import { gustScenario } from "#test/scenarios.ts";
import { start } from "#test/start.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { reports } from "#shared/reports/reports.ts";
import type { Receipt } from "#shared/player/player.ts";

const server = await start();
const { as } = server;
const send = committer(as);
const SCO = "2b1f7a52-4f0a-4a77-9d5b-1d2c3b4a5e6f";

async function open(...blocks: LessonBlock[]) {
  const room = await lessonRoom(server, courseOf({ id: SCO, title: "Wind", blocks }));
  return { ...room, session: await room.launch() };
}
const nav = { type: "nav" as const };
const end = { type: "lesson.end" as const };
const partOf = ({ attempt }: Receipt) => attempt.parts[0]?.state;

test("walks from choice to choice, and is done at an ending", async () => {
  const gust = gustScenario();
  const { session } = await open(gust.block);
  const first = await send(session, {
    events: lessonEvents(SCO, [nav, end, gust.choose(0, "Wait")]),
  });
  expect(first.body.lessons?.refused ?? []).toEqual([]);
  expect(partOf(first.body)).toBe("started");
  const last = await send(session, { events: lessonEvents(SCO, [gust.choose(1, "Call")], 4) });
  expect(partOf(last.body)).toBe("done");
  expect(last.body.attempt).toMatchObject({ completion: "complete", scorePercent: null });
  const { state } = (await getLesson(server, session, SCO)).body;
  expect(state.scenarios?.[gust.id]).toMatchObject({
    endings: [gust.steps[2]?.id],
    runs: 1,
    best: 3,
    last: { tone: "best" },
  });
});

test("keeps endings and the best points when it is played again", async () => {
  const gust = gustScenario();
  const { session } = await open(gust.block);
  const again = { type: "block.restart" as const, key: gust.id };
  await send(session, {
    events: lessonEvents(SCO, [nav, gust.choose(0, "Wait"), gust.choose(1, "Call"), again, gust.choose(0, "Climb")]),
  });
  const { state } = (await getLesson(server, session, SCO)).body;
  expect(state.scenarios?.[gust.id]).toMatchObject({ runs: 2, best: 3, last: { tone: "poor" } });
  expect(state.scenarios?.[gust.id]?.endings).toHaveLength(2);
});

test("refuses a choice of another step, of no step, and after the ending", async () => {
  const gust = gustScenario();
  const other = gustScenario();
  const { session } = await open(gust.block, other.block);
  const wrongStep = gust.choose(1, "Call");
  const foreign = { ...other.choose(0, "Wait"), key: gust.id };
  const { body } = await send(session, {
    events: lessonEvents(SCO, [
      nav,
      wrongStep,
      foreign,
      { type: "block.choose", key: gust.id, value: { step: "x", choice: "y", ms: -1 } },
      { type: "block.back", key: gust.id },
      gust.choose(0, "Climb"),
      gust.choose(0, "Wait"),
      { type: "block.choose", key: "nothing-here", value: {} },
    ]),
  });
  expect(body.lessons?.refused.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 7, 8]);
  const { state } = (await getLesson(server, session, SCO)).body;
  expect(state.scenarios?.[gust.id]?.last).toMatchObject({ tone: "poor" });
});

test("a choice that leads nowhere changes nothing, and is kept as an answer", async () => {
  const gust = gustScenario();
  const { session } = await open(gust.block);
  const { body } = await send(session, { events: lessonEvents(SCO, [nav, gust.choose(0, "Ask")]) });
  expect(body.lessons?.refused ?? []).toEqual([]);
  const { state } = (await getLesson(server, session, SCO)).body;
  expect(state.scenarios?.[gust.id]?.path).toEqual([]);
});

test("goes back one step only where the author allows it", async () => {
  const free = gustScenario({ mayGoBack: true });
  const { session } = await open(free.block);
  const back = { type: "block.back" as const, key: free.id };
  await send(session, { events: lessonEvents(SCO, [nav, free.choose(0, "Wait"), back, free.choose(0, "Climb")]) });
  const { state } = (await getLesson(server, session, SCO)).body;
  expect(state.scenarios?.[free.id]).toMatchObject({ best: -1, last: { tone: "poor" } });
});

test("a scenario that leads in a circle ends at a bound", async () => {
  const gust = gustScenario();
  const { session } = await open(gust.block);
  const round = [gust.choose(0, "Wait"), gust.choose(1, "Look")];
  const { body } = await send(session, {
    events: lessonEvents(SCO, [nav, ...Array.from({ length: 101 }, () => round).flat()]),
  });
  expect(body.lessons?.refused).toHaveLength(2);
  const { state } = (await getLesson(server, session, SCO)).body;
  expect(state.scenarios?.[gust.id]?.path).toHaveLength(200);
});

test("blocks are shown by how a scenario ended and by what was chosen in it", async () => {
  const gust = gustScenario();
  const confirmation: LessonBlock = {
    kind: "confirmation",
    id: newId("confirm"),
    text: [words("What the wind does.")],
    meaning: "I have read why.",
    showWhen: { match: "all", tests: [{ kind: "answer", block: gust.id, is: "wrong" }] },
  };
  const { session } = await open(gust.block, paragraph("Wind"), confirmation);
  const bad = await send(session, { events: lessonEvents(SCO, [nav, end, gust.choose(0, "Climb")]) });
  expect(partOf(bad.body)).toBe("started");
  const again = { type: "block.restart" as const, key: gust.id };
  const good = await send(session, {
    events: lessonEvents(SCO, [again, gust.choose(0, "Wait"), gust.choose(1, "Call")], 4),
  });
  expect(partOf(good.body)).toBe("done");
});

test("a required scenario without an ending in reach is not published", async () => {
  const gust = gustScenario();
  const block = { ...gust.block, steps: gust.steps.map((step) => ({ ...step, ending: null })) };
  await expect(lessonRoom(server, courseOf({ id: SCO, title: "Wind", blocks: [block] }))).rejects.toThrow();
  await lessonRoom(server, courseOf({ id: SCO, title: "Wind", blocks: [{ ...block, required: false }] }));
});

test("reports show the choices, and the author sees who came by each step", async () => {
  const gust = gustScenario();
  const { session, courseId, admin } = await open(gust.block);
  await send(session, {
    events: lessonEvents(SCO, [nav, gust.choose(0, "Ask"), gust.choose(0, "Wait"), gust.choose(1, "Call"), end]),
  });
  const query = { lesson: SCO, block: gust.id };
  const { body } = await as(admin)(reports.scenario, { params: { id: courseId }, query });
  const count = (id: string | undefined) => body.steps[id ?? ""] ?? 0;
  expect(body.learners).toBe(1);
  expect(gust.steps.map(({ id }) => count(id))).toEqual([1, 1, 1, 0]);
  const questions = (await as(admin)(reports.questions, { params: { id: courseId }, query: {} })).body;
  expect(questions.items.map(({ question, answered, right, wrong }) => [question, answered, right + wrong])).toEqual([
    ["11 m/s at the hatch", 1, 0],
    ["You wait in the cabin", 1, 0],
  ]);
  const other = await server.make.admin();
  const elsewhere = await as(other)(reports.scenario, { params: { id: newId("0000") }, query });
  expect(elsewhere.status).toBe(404);
});
