import { expect, test } from "vitest";
import { openPart, setValue } from "#test/commits.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

// The SCORM calls of packages without knowledge of variables set them

const server = await start();
const { as } = server;
const { createGroup, define, expectRecounted, folded, send } = createValueMaker(server);

test("an answer, an objective and an element set variables by identifier, not by index", async () => {
  const { admin, course, sessions } = await createGroup(2);
  const courses = (path: string) => [{ courseId: course.id, access: "both" as const, path }];
  const answer = await define(admin, {
    key: "q3",
    type: "text",
    courses: courses("cmi.interactions[q3].student_response"),
  });
  const objective = await define(admin, { key: "goal", courses: courses("cmi.objectives[goal].score.raw") });
  const score = await define(admin, {
    key: "score",
    constraints: { max: 100 },
    courses: courses("cmi.core.score.raw"),
  });
  const [first, second] = sessions;
  if (!first || !second) throw new Error("no sessions");
  await send(first, {
    events: [
      ...openPart(),
      setValue(3, "cmi.interactions.0.id", "q1"),
      setValue(4, "cmi.interactions.0.student_response", "not this one"),
      setValue(5, "cmi.interactions.1.id", "q3"),
      setValue(6, "cmi.objectives.0.id", "goal"),
    ],
  });
  await send(first, {
    events: [
      setValue(7, "cmi.interactions.1.student_response", "because"),
      setValue(8, "cmi.objectives.0.score.raw", "4"),
      setValue(9, "cmi.core.score.raw", "70"),
    ],
  });
  // The same score again, as many packages send it with every save, and one that the definition refuses.
  await send(first, { events: [setValue(10, "cmi.core.score.raw", "70"), setValue(11, "cmi.core.score.raw", "700")] });
  await send(second, {
    events: [
      ...openPart(),
      setValue(3, "cmi.interactions.0.id", "q3"),
      setValue(4, "cmi.interactions.0.student_response", "why not"),
    ],
  });
  await folded();
  const valuesOf = async (id: string) =>
    (await as(admin)(rawData.list, { query: { variableId: id } })).body.items.map(({ value, refusal, source }) => [
      value,
      refusal,
      source,
    ]);
  expect(await valuesOf(answer.id)).toEqual([
    ["why not", null, "mapping"],
    ["because", null, "mapping"],
  ]);
  expect(await valuesOf(objective.id)).toEqual([[4, null, "mapping"]]);
  expect(await valuesOf(score.id)).toEqual([
    ["700", "aboveMax", "mapping"],
    [70, null, "mapping"],
  ]);
  await expectRecounted();
});

test("offers what the package of a course has sent", async () => {
  const { admin, course, sessions } = await createGroup(1);
  await send(sessions[0] as never, {
    events: [
      ...openPart(),
      setValue(3, "cmi.interactions.0.id", "q3"),
      setValue(4, "cmi.interactions.0.student_response", "because"),
      setValue(5, "cmi.core.score.raw", "70"),
      setValue(6, "cmi.suspend_data", "state"),
    ],
  });
  const { body } = await as(admin)(variables.sentValues, { query: { courseId: course.id } });
  expect(body.items.map(({ path, part, samples, attempts }) => [path, part, samples, attempts])).toEqual([
    ["cmi.interactions[q3].student_response", "Part one", ["because"], 1],
    ["cmi.core.score.raw", "Part one", ["70"], 1],
  ]);
});

test("refuses paths outside the data model, and those of the package's own state", async () => {
  const { admin, course } = await createGroup(1);
  for (const path of ["score", "cmi.suspend_data", "cmi.interactions[].result", "cmi.interactions.0.result"]) {
    const body = {
      key: "k",
      label: "K",
      type: "text" as const,
      courses: [{ courseId: course.id, access: "both" as const, path }],
    };
    expect([path, (await as(admin)(variables.create, { body })).status]).toEqual([path, 422]);
  }
});
