import { sql } from "kysely";
import { expect, test } from "vitest";
import { purgeValues } from "#server/rawData/jobs.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { reports } from "#shared/reports/reports.ts";
import { variables } from "#shared/variables/variables.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, make, db } = server;
const { createGroup, define, expectRecounted, folded, send, setEvent, setValues, statistics } =
  createValueMaker(server);

/** A group whose learners have set a rating: the first one three values, the others one. */
async function createRatings(size = 2) {
  const group = await createGroup(size);
  const { admin, course, sessions } = group;
  const rating = await define(admin, {
    key: "rating",
    label: "Rating",
    constraints: { min: 1, max: 10 },
    courses: [{ courseId: course.id, access: "both" }],
  });
  await setValues(sessions[0], [
    ["rating", 3],
    ["rating", 60],
    ["rating", 7],
  ]);
  for (const session of sessions.slice(1)) await setValues(session, [["rating", 5]]);
  await folded();
  return { ...group, rating, learner: group.learners[0] as (typeof group.learners)[0] };
}

test("lists values with their origin, the value before and the reason of a refusal", async () => {
  const { admin, company, course, rating, learner, sessions } = await createRatings();
  const { body } = await as(admin)(rawData.list, { query: { courseId: course.id, userId: learner.user.id } });
  expect(body.total).toBe(3);
  expect(body.items.map(({ value, previous, refusal }) => [value, previous, refusal])).toEqual([
    [7, 3, null],
    [60, 3, "aboveMax"],
    [3, null, null],
  ]);
  expect(body.items[0]).toMatchObject({
    learner: learner.user.name,
    company: company.name,
    course: course.title,
    courseVersion: 1,
    attempt: 1,
    part: "Part one",
    key: "rating",
    source: "content",
    sessionId: sessions[0]?.sessionId,
    preview: false,
  });
  const count = async (query: object) =>
    (await as(admin)(rawData.list, { query: { courseId: course.id, ...query } })).body.total;
  expect(await count({ variableId: rating.id })).toBe(4);
  expect(await count({ atLeast: 6, atMost: 10 })).toBe(1);
  expect(await count({ contains: "60" })).toBe(1);
  expect(await count({ q: learner.user.email })).toBe(3);
  expect(await count({ companyId: company.id, from: "2020-01-01", to: "2020-01-02" })).toBe(0);
  expect(await count({ preview: "yes" })).toBe(0);
});

test("shows the history of a key that nobody has defined, by attempt and course", async () => {
  const { admin, course, learners, sessions } = await createGroup(2);
  await setValues(sessions[0], [["mood", "calm"]]);
  const [row] = (await as(admin)(rawData.list, { query: { courseId: course.id } })).body.items;
  expect(row).toMatchObject({ key: "mood", scope: "learner", unit: "", attemptId: expect.any(String) });
  const count = async (query: object) => {
    const { status, body } = await as(admin)(rawData.history, {
      query: { variableId: row?.variableId as string, ...query },
    });
    return status === 200 ? [body.total, body.scope, body.constraints] : status;
  };
  expect(await count({ attemptId: row?.attemptId })).toEqual([1, "learner", {}]);
  expect(await count({ userId: learners[0]?.user.id, courseId: course.id })).toEqual([1, "learner", {}]);
  expect(await count({ userId: learners[1]?.user.id })).toBe(404);
});

test("shows attempts with the latest value of each variable", async () => {
  const { admin, course, rating } = await createRatings();
  const { body } = await as(admin)(rawData.attempts, {
    query: { courseId: course.id, variableIds: rating.id, sort: "startedAt" },
  });
  expect(body.total).toBe(2);
  expect(body.items.map(({ values }) => values[rating.id]).toSorted()).toEqual([5, 7]);
});

test("corrects a value with a reason: both stay in the history, and one counts", async () => {
  const { admin, rating, learner, course } = await createRatings();
  const listed = (await as(admin)(rawData.list, { query: { courseId: course.id, userId: learner.user.id } })).body
    .items;
  const latest = listed[0]?.id as number;
  const correct = (value: unknown, reason = "typed by mistake", valueId = latest) =>
    as(admin)(rawData.correct, {
      params: { valueId: String(valueId) } as never,
      body: { value: value as never, reason },
    });
  expect((await correct(70)).status).toBe(422);
  expect((await correct(6, "")).status).toBe(422);
  expect((await correct(6)).status).toBe(200);
  expect((await correct(6)).code).toBe("rawData.notCorrectable");
  expect((await correct(8, "meant 8", listed[1]?.id)).status).toBe(200);
  const { body } = await as(admin)(rawData.history, { query: { variableId: rating.id, userId: learner.user.id } });
  expect(body.current).toBe(6);
  expect(body.values.map(({ value, corrected, source }) => [value, corrected, source])).toEqual([
    [6, false, "correction"],
    [7, true, "content"],
    [8, false, "correction"],
    [60, true, "content"],
    [3, false, "content"],
  ]);
  expect(body.values[0]).toMatchObject({ reason: "typed by mistake", actor: admin.user.name });
  await folded();
  await expectRecounted();
  expect(await statistics(admin, rating.id)).toMatchObject({ values: 4, mean: 5.5 });
});

test("deletes the values of a course after a preview, and restores them", async () => {
  const { admin, course, rating, sessions } = await createRatings(3);
  const input = { courseId: course.id };
  const preview = (await as(admin)(rawData.previewDeletion, { body: input })).body;
  expect(preview).toMatchObject({ values: 5, variables: 1, learners: 3, sessions: 3, previewSessions: 0 });
  expect(preview.sample).toHaveLength(5);
  const remove = (body: object) =>
    as(admin)(rawData.remove, { body: { ...input, code: course.code, values: 5, ...body } });
  expect((await remove({ code: "wrong" })).status).toBe(422);
  expect((await remove({ values: 4 })).code).toBe("rawData.countChanged");
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 3 });
  const removed = await remove({});
  expect(removed.body).toMatchObject({ values: 5, course: course.title, restoredAt: null });
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 0, values: 0, mean: null });
  expect((await as(admin)(rawData.list, { query: { courseId: course.id } })).body.total).toBe(0);
  expect((await as(admin)(rawData.list, { query: { courseId: course.id, deleted: "yes" } })).body.total).toBe(5);
  await setValues(sessions[0], [["rating", 9]]);
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 1, mean: 9 });
  const restored = await as(admin)(rawData.restore, { params: { id: removed.body.id } });
  expect(restored.body.restoredBy).toBe(admin.user.name);
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 3, values: 5 });
  await expectRecounted();
});

test("deletes by variable, learner and preview only", async () => {
  const { admin, company, course, learners } = await createRatings(3);
  await define(admin, { key: "mood", type: "text", courses: [{ courseId: course.id, access: "both" }] });
  await setValues(await make.launch(admin, company.id, course.id), [["mood", "test"]]);
  const count = async (body: object) =>
    (await as(admin)(rawData.previewDeletion, { body: { courseId: course.id, ...body } })).body.values;
  expect(await count({})).toBe(6);
  expect(await count({ onlyPreview: true })).toBe(1);
  expect(await count({ userIds: [learners[1]?.user.id] })).toBe(1);
  expect(await count({ to: "2020-01-01" })).toBe(0);
});

test("a journal that arrives late does not bring deleted values back", async () => {
  const { admin, company, course, learner, rating, sessions } = await createRatings(1);
  const [offline] = sessions;
  if (!offline) throw new Error("no session");
  const preview = (await as(admin)(rawData.previewDeletion, { body: { courseId: course.id } })).body;
  await as(admin)(rawData.remove, { body: { courseId: course.id, code: course.code, values: preview.values } });
  await send(offline, { events: [setEvent(6, "rating", 4, 5)] });
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 0 });
  const launched = await make.launch(learner, company.id, course.id, { takeOver: true });
  expect(launched.variables.declared[0]?.value).toBeNull();
  await expectRecounted();
});

test("deletes and restores one value", async () => {
  const { admin, course, learner, rating } = await createRatings();
  const latest = (await as(admin)(rawData.list, { query: { courseId: course.id, userId: learner.user.id } })).body
    .items[0];
  const params = { valueId: String(latest?.id) } as never;
  const removed = await as(admin)(rawData.removeValue, { params });
  expect(removed.status).toBe(200);
  expect((await as(admin)(rawData.removeValue, { params })).status).toBe(404);
  const current = async () =>
    (await as(admin)(rawData.history, { query: { variableId: rating.id, userId: learner.user.id } })).body.current;
  expect(await current()).toBe(3);
  await as(admin)(rawData.restore, { params: { id: removed.body.id } });
  expect(await current()).toBe(7);
  await expectRecounted();
});

test("removes deleted values from the database and the events after 30 days", async () => {
  const { admin, course, sessions } = await createRatings(1);
  const preview = (await as(admin)(rawData.previewDeletion, { body: { courseId: course.id } })).body;
  const { body } = await as(admin)(rawData.remove, {
    body: { courseId: course.id, code: course.code, values: preview.values },
  });
  await db
    .updateTable("variableDeletions")
    .set({ deletedAt: sql`now() - interval '31 days'` })
    .where("id", "=", body.id)
    .execute();
  await purgeValues(db);
  expect((await as(admin)(rawData.list, { query: { courseId: course.id, deleted: "yes" } })).body.total).toBe(0);
  expect((await as(admin)(rawData.restore, { params: { id: body.id } })).code).toBe("rawData.notRestorable");
  const session = await as(admin)(reports.session, { params: { id: sessions[0]?.sessionId as string } });
  const sets = session.body.events.filter(({ type }) => type === "variable.set");
  expect(sets.map(({ seq, key, value }) => [seq, key, value])).toEqual(
    [3, 4, 5].map((seq) => [seq, "rating", undefined]),
  );
  await expectRecounted();
});

test("removes deleted values of mapped elements from the events, also repeated ones", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const path = "cmi.comments";
  const worry = await define(admin, {
    key: "worry",
    type: "text",
    courses: [{ courseId: course.id, access: "write", path }],
  });
  const set = (seq: number, key: string, value: string) => ({ ...setEvent(seq, key, value), type: "scorm.set", value });
  const commit = (...events: object[]) => send(sessions[0] as Launch, { events: events as SessionEvent[] });
  await commit(set(1, path, "He shouts"), set(2, "cmi.core.lesson_location", "p2"));
  await commit(set(3, path, "He shouts"));
  await folded();
  const [value] = (await as(admin)(rawData.list, { query: { variableId: worry.id } })).body.items;
  await as(admin)(rawData.removeValue, { params: { valueId: String(value?.id) as never } });
  await db
    .updateTable("variableDeletions")
    .set({ deletedAt: sql`now() - interval '31 days'` })
    .execute();
  await purgeValues(db);
  const session = await as(admin)(reports.session, { params: { id: sessions[0]?.sessionId as string } });
  expect(session.body.events.map(({ seq, value }) => [seq, value])).toEqual([
    [1, undefined],
    [2, "p2"],
    [3, undefined],
  ]);
});

test("removes values past the retention of their variable; the sum of a company stays", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const sum = await define(admin, { key: "trees", scope: "company", writeMode: "sum", retentionDays: 10, courses });
  const rating = await define(admin, { key: "rating", retentionDays: 10, courses });
  await setValues(sessions[0], [
    ["trees", 5],
    ["rating", 4],
  ]);
  await folded();
  await db
    .updateTable("variableValues")
    .set({ recordedAt: sql`now() - interval '11 days'` })
    .where("courseId", "=", course.id)
    .execute();
  await setValues(sessions[0], [["trees", 2]]);
  await folded();
  await purgeValues(db);
  expect(await statistics(admin, sum.id)).toMatchObject({ mean: 7 });
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 0 });
  await expectRecounted();
});

test("masks the values of sensitive variables everywhere", async () => {
  const { admin, course, sessions, learners } = await createGroup(1);
  const mobile = await define(admin, {
    key: "mobile",
    type: "text",
    privacy: "sensitive",
    courses: [{ courseId: course.id, access: "both" }],
  });
  await setValues(sessions[0], [["mobile", "0171-secret"]]);
  await folded();
  const replies = await Promise.all([
    as(admin)(rawData.list, { query: { courseId: course.id } }),
    as(admin)(rawData.list, { query: { courseId: course.id, contains: "0171" } }),
    as(admin)(rawData.attempts, { query: { courseId: course.id, variableIds: mobile.id } }),
    as(admin)(rawData.history, { query: { variableId: mobile.id, userId: learners[0]?.user.id as string } }),
    as(admin)(rawData.previewDeletion, { body: { courseId: course.id } }),
    as(admin)(variables.get, { params: { id: mobile.id } }),
    as(admin)(variables.values, { params: { id: mobile.id } }),
    as(admin)(variables.statistics, { params: { id: mobile.id } }),
    as(admin)(reports.session, { params: { id: sessions[0]?.sessionId as string } }),
  ]);
  expect(replies[2].body.items[0]?.values).toEqual({ [mobile.id]: null });
  for (const reply of replies) {
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).not.toContain("0171-secret");
  }
});
