import { expect, test } from "vitest";
import { type OwnValue, rawData } from "#shared/rawData.ts";
import type { Person } from "#test/start.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

// What learners see of their own values, and correct where the definition allows it

const server = await start();
const { as } = server;
const { createGroup, define, expectRecounted, folded, setValues } = createValueMaker(server);

async function createOwn() {
  const { admin, course, learners, sessions } = await createGroup(2);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const limits = { constraints: { min: 1, max: 10 }, courses };
  const rating = await define(admin, { key: "rating", learnerEditable: true, ...limits });
  await define(admin, { key: "fixed", courses });
  await define(admin, { key: "hidden", learnerVisible: false, courses });
  await define(admin, { key: "shared", scope: "company", courses });
  await define(admin, { key: "points", writeMode: "sum", learnerEditable: true, courses });
  await define(admin, { key: "unset", learnerEditable: true, courses });
  await setValues(sessions[0], [
    ["rating", 4],
    ["fixed", 1],
    ["hidden", 2],
    ["shared", 3],
    ["points", 4],
    ["points", 5],
  ]);
  await setValues(sessions[1], [["rating", 9]]);
  const [learner, other] = learners as [Person, Person];
  const read = async (who = learner) => (await as(who)(rawData.mine, { query: { courseId: course.id } })).body.items;
  const correct = ({ variableId, valueId }: OwnValue, value: unknown, who = learner) =>
    as(who)(rawData.correctMine, {
      params: { variableId },
      body: { courseId: course.id, valueId, value: value as never },
    });
  return { admin, course, learner, other, rating, read, correct };
}
const brief = (items: OwnValue[]) => items.map(({ label, value, editable }) => [label, value, editable]);

test("a learner sees their own values of a course, as far as definitions allow", async () => {
  const { admin, other, read } = await createOwn();
  expect(brief(await read())).toEqual([
    ["fixed", 1, false],
    ["points", 9, false],
    ["rating", 4, true],
  ]);
  expect(brief(await read(other))).toEqual([["rating", 9, true]]);
  expect(await read(admin)).toEqual([]);
});

test("a learner corrects a value where the definition allows it: both stay in the history", async () => {
  const { admin, learner, rating, read, correct } = await createOwn();
  const [fixed, , own] = (await read()) as [OwnValue, OwnValue, OwnValue];
  expect((await correct(own, 60)).status).toBe(422);
  expect((await correct(fixed, 2)).status).toBe(404);
  expect((await correct(own, "6")).status).toBe(200);
  expect((await correct(own, 7)).code).toBe("rawData.notCorrectable");
  expect(brief(await read())).toContainEqual(["rating", 6, true]);
  const { body } = await as(admin)(rawData.history, { query: { variableId: rating.id, userId: learner.user.id } });
  expect(body.values.map(({ value, corrected, reason, actor }) => [value, corrected, reason, actor])).toEqual([
    [6, false, "corrected by the learner", learner.user.name],
    [4, true, "", ""],
  ]);
  await folded();
  await expectRecounted();
});

test("nobody corrects the value of another learner", async () => {
  const { other, read, correct } = await createOwn();
  const own = (await read()).at(-1) as OwnValue;
  const theirs = (await read(other)).at(-1) as OwnValue;
  expect((await correct({ ...own, valueId: theirs.valueId }, 5)).code).toBe("rawData.notCorrectable");
  expect((await correct(own, 5, other)).code).toBe("rawData.notCorrectable");
  expect(brief(await read(other))).toEqual([["rating", 9, true]]);
});
