import { expect, test } from "vitest";
import { type OwnValue, rawData } from "#shared/rawData/rawData.ts";
import type { Person } from "#test/start.ts";
import { start } from "#test/start.ts";
import { createFlowMaker } from "#test/flows.ts";

// The values that learners see of themselves, and correct where the definition allows it

const server = await start();
const { as } = server;
const { connect, createGroup, define, expectRecounted, folded, passed, setValues } = createFlowMaker(server);

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

test("a learner corrects a value where the definition allows it; both stay in history", async () => {
  const { admin, learner, rating, read, correct } = await createOwn();
  const [fixed, , own] = (await read()) as [OwnValue, OwnValue, OwnValue];
  expect((await correct(own, 60)).status).toBe(422);
  expect((await correct(fixed, 2)).status).toBe(404);
  expect((await correct(own, "6")).status).toBe(200);
  expect((await correct(own, 7)).code).toBe("rawData.notCorrectable");
  expect(brief(await read())).toContainEqual(["rating", 6, true]);
  await folded();
  const again = (await read()).at(-1) as OwnValue;
  expect((await correct(again, 8)).status).toBe(200);
  expect((await correct(again, 9)).code).toBe("rawData.notCorrectable");
  expect(brief(await read())).toContainEqual(["rating", 8, true]);
  const { body } = await as(admin)(rawData.history, { query: { variableId: rating.id, userId: learner.user.id } });
  expect(body.values.map(({ value, corrected, reason, actor }) => [value, corrected, reason, actor])).toEqual([
    [8, false, "corrected by the learner", learner.user.name],
    [6, true, "corrected by the learner", learner.user.name],
    [4, true, "", ""],
  ]);
  await folded();
  await expectRecounted();
});

test("a copy that a data flow has made is not corrected: it follows its source", async () => {
  const { admin, course, rating, learner, read, correct } = await createOwn();
  const courses = [{ courseId: course.id, access: "both" as const }];
  const copy = await define(admin, { key: "copied", label: "copied", learnerEditable: true, courses });
  await connect(admin, rating.id, copy.id, { includesCurrent: true });
  await passed();
  expect(brief(await read(learner))).toContainEqual(["copied", 4, false]);
  const own = (await read(learner)).find(({ label }) => label === "copied") as OwnValue;
  expect((await correct(own, 5)).status).toBe(404);
});

test("nobody corrects the value of another learner", async () => {
  const { other, read, correct } = await createOwn();
  const mine = (await read()).at(-1) as OwnValue;
  const theirs = (await read(other)).at(-1) as OwnValue;
  expect((await correct({ ...mine, valueId: theirs.valueId }, 5)).code).toBe("rawData.notCorrectable");
  expect((await correct(mine, 5, other)).code).toBe("rawData.notCorrectable");
  expect(brief(await read(other))).toEqual([["rating", 9, true]]);
});
