import { expect, test } from "vitest";
import { openPart } from "#test/commits.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { replays } from "#shared/reports/replays.ts";
import { MASKED_VALUE, variables } from "#shared/variables/variables.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

// The player reads the variables of the authoring tool from the package itself

const server = await start();
const { as, make } = server;
const { createGroup, define, expectRecounted, folded, send } = createValueMaker(server);

const shown = (seq: number, key: string, value: unknown): SessionEvent => ({
  seq,
  t: seq,
  type: "package.set",
  sco: "i1",
  key,
  value: JSON.stringify(value),
});
const from = (courseId: string, path: string) => [{ courseId, access: "both" as const, path }];

test("records the chosen variables of a package, as their definitions allow", async () => {
  const { admin, company, course, learners } = await createGroup(1);
  const rating = await define(admin, {
    key: "rating",
    constraints: { max: 10 },
    courses: from(course.id, "storyline[SelfRating]"),
  });
  const session = await make.launch(learners[0] as never, company.id, course.id, { takeOver: true });
  expect(session.variables.packagePaths).toEqual(["storyline[SelfRating]"]);
  await send(session, {
    events: [
      ...openPart(),
      shown(3, "storyline[SelfRating]", 7),
      shown(4, "storyline[SelfRating]", 70),
      shown(5, "storyline[SelfRating]", { toString: "no" }),
    ],
  });
  await folded();
  const { items } = (await as(admin)(rawData.list, { query: { variableId: rating.id } })).body;
  expect(items.map(({ value, refusal, source }) => [value, refusal, source])).toEqual([
    [{ toString: "no" }, "notNumber", "package"],
    [70, "aboveMax", "package"],
    [7, null, "package"],
  ]);
  await expectRecounted();
});

test("records nothing of a package that no admin has chosen, if a browser sends it", async () => {
  const { admin, course, sessions } = await createGroup(1);
  await define(admin, {
    key: "note",
    type: "text",
    courses: [{ courseId: course.id, access: "read", path: "storyline[Note]" }],
  });
  await define(admin, { key: "element", courses: from(course.id, "cmi.core.score.raw") });
  const session = sessions[0] as Launch;
  const paths = ["storyline[Note]", "storyline[Other]", "h5p[main].score", "cmi.core.score.raw", "note"];
  await send(session, { events: [...openPart(), ...paths.map((path, index) => shown(3 + index, path, "secret"))] });
  await folded();
  expect((await as(admin)(rawData.list, { query: { courseId: course.id } })).body.total).toBe(0);
  expect((await as(admin)(variables.newKeys, { query: { courseId: course.id } })).body.total).toBe(0);
  const { events } = (await as(admin)(replays.replayEvents, { params: { id: session.sessionId } })).body;
  expect(events.map(({ type, value }) => [type, value]).slice(2)).toEqual(paths.map(() => ["package.set", undefined]));
});

test("records a variable of a package from the moment in which it is chosen", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const session = sessions[0] as Launch;
  await send(session, { events: [...openPart(), shown(3, "storyline[Mood]", "too early")] });
  const mood = await define(admin, { key: "mood", type: "text", courses: from(course.id, "storyline[Mood]") });
  await send(session, { events: [shown(4, "storyline[Mood]", "calm")] });
  await folded();
  const { items } = (await as(admin)(rawData.list, { query: { variableId: mood.id } })).body;
  expect(items.map(({ value }) => value)).toEqual(["calm"]);
});

test("masks a sensitive variable of a package in the events of its session", async () => {
  const { admin, course, sessions } = await createGroup(1);
  await define(admin, {
    key: "mood",
    type: "text",
    privacy: "sensitive",
    courses: from(course.id, "captivate[v_mood]"),
  });
  const session = sessions[0] as Launch;
  await send(session, { events: [...openPart(), shown(3, "captivate[v_mood]", "low")] });
  const { events } = (await as(admin)(replays.replayEvents, { params: { id: session.sessionId } })).body;
  expect(events.at(-1)?.value).toBe(MASKED_VALUE);
});

test("offers what the files of a package say about its authoring tool", async () => {
  const admin = await make.admin();
  const data = { variables: [{ kind: "variable", name: "SelfRating", value: 0 }, { name: "_State" }], scenes: [] };
  const course = await make.course(admin, {
    files: {
      "index.html": "<title>Story</title>",
      "html5/data/js/data.js": `window.globalProvideData('data', '${JSON.stringify(data)}');`,
    },
  });
  const { body } = await as(admin)(variables.sentValues, { query: { courseId: course.id } });
  expect(body.items).toEqual([{ path: "storyline[SelfRating]", question: "", part: "", samples: [], attempts: 0 }]);
});
