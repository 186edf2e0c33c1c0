import { expect, test } from "vitest";
import { variables } from "#shared/variables/variables.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, make } = server;
const { createGroup, setValues, define, folded, expectRecounted, statistics } = createValueMaker(server);

test("computes mean, median, quartiles, bars and companies from the current values", async () => {
  const { admin, company, course, sessions } = await createGroup(MIN_GROUP);
  const rating = await define(admin, {
    key: "rating",
    constraints: { min: 1, max: 10 },
    courses: [{ courseId: course.id, access: "both" }],
  });
  await Promise.all(
    sessions.map((session, index) =>
      setValues(session, [
        ["rating", 1],
        ["rating", index + 1],
      ]),
    ),
  );
  await folded();
  expect(await statistics(admin, rating.id, company.id)).toMatchObject({
    subjects: 10,
    learners: 10,
    values: 20,
    mean: 5.5,
    median: 5.5,
    quartiles: [3.25, 7.75],
    min: 1,
    max: 10,
    repeated: 10,
    improved: 9,
  });
  const { body } = await as(admin)(variables.get, { params: { id: rating.id } });
  expect(body.distribution?.bars.map(({ label, count }) => [label, count])).toEqual(
    Array.from({ length: 10 }, (_, index) => [String(index + 1), 1]),
  );
  const companies = await as(admin)(variables.companies, { params: { id: rating.id } });
  expect(companies.body.items).toMatchObject([
    { companyId: company.id, learners: 10, median: 5.5, quartiles: [3.25, 7.75] },
  ]);
  const values = await as(admin)(variables.values, { params: { id: rating.id }, query: { sort: "-value", size: 1 } });
  expect(values.body).toMatchObject({ total: 10, items: [{ current: 10, first: 1, count: 2, recent: [1, 10] }] });
  await expectRecounted();
});

test("hides the figures of a company with few learners", async () => {
  const { admin, course, sessions } = await createGroup(2);
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  for (const session of sessions) await setValues(session, [["rating", 5]]);
  await folded();
  const { body } = await as(admin)(variables.companies, { params: { id: rating.id } });
  expect(body.items).toMatchObject([{ learners: 2, median: null, quartiles: null, top: null }]);
});

test("ranks learners with shared places", async () => {
  const { admin, course, sessions, learners } = await createGroup(4);
  const points = await define(admin, {
    key: "points",
    leaderboard: true,
    courses: [{ courseId: course.id, access: "both" }],
  });
  const sent = [30, 30, 10, 20];
  await Promise.all(sessions.map((session, index) => setValues(session, [["points", sent[index] as number]])));
  await folded();
  const { body } = await as(admin)(variables.leaderboard, { params: { id: points.id } });
  expect(body.leaders.map(({ place, value }) => [place, value])).toEqual([
    [1, 30],
    [1, 30],
    [3, 20],
    [4, 10],
  ]);
  expect(body.leaders[2]?.userId).toBe(learners[3]?.user.id);
});

test("sensitive values are not ranked, whenever they became sensitive", async () => {
  const { admin, sessions } = await createGroup(1);
  expect(sessions).toHaveLength(1);
  const boss = as(admin);
  const issues = [{ path: "leaderboard", code: "variables.leaderboardSensitive" }];
  const draft = { key: "stress", label: "Stress", type: "number" as const, leaderboard: true };
  const made = await boss(variables.create, { body: { ...draft, privacy: "sensitive" } });
  expect([made.status, made.body]).toMatchObject([422, { issues }]);
  const { id, version } = await define(admin, draft);
  const params = { id };
  expect((await boss(variables.leaderboard, { params })).status).toBe(200);
  const both = { version, privacy: "sensitive" as const, leaderboard: true };
  expect((await boss(variables.update, { params, body: both })).body).toMatchObject({ issues });
  const hidden = await boss(variables.update, { params, body: { version, privacy: "sensitive" } });
  expect(hidden.body).toMatchObject({ privacy: "sensitive", leaderboard: false });
  expect((await boss(variables.leaderboard, { params })).status).toBe(403);
  const ranked = await boss(variables.update, { params, body: { version: hidden.body.version, leaderboard: true } });
  expect(ranked.body).toMatchObject({ issues });
  // A variable that was saved as both by an earlier version.
  await server.db.updateTable("variables").set({ leaderboard: true }).where("id", "=", id).execute();
  expect((await boss(variables.leaderboard, { params })).status).toBe(403);
  const renamed = await boss(variables.update, { params, body: { version: hidden.body.version, label: "Strain" } });
  expect([renamed.status, renamed.body]).toMatchObject([200, { label: "Strain", leaderboard: false }]);
});

test("hides the figures of one learner with many attempts", async () => {
  const { admin, company, course, learners } = await createGroup(1);
  const uses = [{ courseId: course.id, access: "both" as const }];
  const rating = await define(admin, { key: "rating", scope: "attempt", courses: uses });
  const learner = learners[0] as (typeof learners)[0];
  for (let attempt = 0; attempt < MIN_GROUP; attempt++) {
    const options = { newAttempt: true, takeOver: true };
    await setValues(await make.launch(learner, company.id, course.id, options), [["rating", attempt]]);
  }
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: MIN_GROUP, learners: 1 });
  const { body } = await as(admin)(variables.companies, { params: { id: rating.id } });
  expect(body.items).toMatchObject([{ learners: 1, median: null, quartiles: null }]);
});
