import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";
import { reports } from "#shared/reports/reports.ts";
import { ageOneDay } from "#test/historyRows.ts";
import { addDays, dayIn } from "#test/reportOracle.ts";
import { type Person, start } from "#test/start.ts";

// What changed between two days, from the history alone

const { as, db, make } = await start();
const send = committer(as);
/** A zone in which it is about noon, so that no day ends while the test runs. */
const hoursToNoon = 12 - new Date().getUTCHours();
const zone = `Etc/GMT${hoursToNoon > 0 ? "-" : "+"}${Math.abs(hoursToNoon)}`;
const day = (daysAgo: number) => addDays(dayIn(zone, Date.now()), -daysAgo);

/** A company with five learners of one course; on the second of two days one passes, one is withdrawn, and so on. */
async function createTwoDays() {
  const room = await make.classroom();
  const { admin, company, course } = room;
  const boss = as(admin);
  const [passes, fails, leaves, delayed] = await Promise.all([1, 2, 3, 4].map(() => make.learner(company.accessCode)));
  const of = (...people: (Person | undefined)[]) => ({ userIds: people.map((one) => one?.user.id as string) });
  const params = { id: course.id };
  await boss(courses.assign, { params, body: of(passes, fails, leaves, delayed) });
  const study = async (person: Person, status: string, score: string) => {
    const session = await make.launch(person, company.id, course.id);
    const results = [setValue(3, "cmi.core.score.raw", score), setValue(4, "cmi.core.lesson_status", status)];
    expect((await send(session, { events: [...openPart(), ...results], activeMs: 5000, end: "exit" })).status).toBe(
      200,
    );
  };
  await study(fails as Person, "failed", "20");
  await ageOneDay(db);
  await study(passes as Person, "passed", "90");
  await study(fails as Person, "failed", "40");
  await boss(courses.withdraw, { params, body: of(leaves) });
  await boss(courses.setDue, { params, body: { ...of(delayed), dueDate: "2020-01-01" } });
  const late = await make.learner(company.accessCode);
  await boss(courses.assign, { params, body: of(late) });
  const query = { zone, since: day(1) };
  const read = async (id: string, more: object = {}) =>
    (await boss(reports.changes, { params: { id }, query: { ...query, ...more } })).body;
  return { ...room, boss, passes, fails, leaves, delayed, late, read };
}

test("lists what has changed between two days, by kind", async () => {
  const { company, course, read, passes, fails, leaves, delayed, late } = await createTwoDays();
  for (const id of [company.id, course.id]) {
    const changes = await read(id);
    const of = (person?: Person) => changes.items.find(({ userId }) => userId === person?.user.id);
    expect(changes.total).toBe(5);
    expect(of(passes)).toMatchObject({
      kinds: ["started", "completed", "score"],
      before: { status: "assigned", scorePercent: null },
      after: { status: "completed", scorePercent: 90 },
    });
    expect(of(fails)).toMatchObject({ kinds: ["score"], before: { scorePercent: 20 }, after: { scorePercent: 40 } });
    expect(of(leaves)).toMatchObject({ kinds: ["removed"], after: null });
    expect(of(delayed)).toMatchObject({ kinds: ["overdue", "dueDate"], after: { overdue: true } });
    expect(of(late)).toMatchObject({ kinds: ["added"], before: null });
    expect(changes.counts).toMatchObject({ added: 1, removed: 1, completed: 1, overdue: 1, score: 2, dueDate: 1 });
    expect(changes.before).toMatchObject({ assigned: 5, completed: 0, overdue: 0 });
    expect(changes.after).toMatchObject({ assigned: 5, completed: 1, overdue: 1 });
  }
  expect((await read(company.id, { change: "completed" })).items.map(({ userId }) => userId)).toEqual([
    passes?.user.id,
  ]);
  expect((await read(company.id, { q: late.user.email })).total).toBe(1);
  expect(await read(company.id, { page: 2, size: 4 })).toMatchObject({ total: 5, items: [{}] });
  expect(await read(company.id, { since: day(0) })).toMatchObject({ total: 0, items: [] });
});

test("the difference between two past days is final, and equals that of their lists", async () => {
  const { boss, company, read, passes } = await createTwoDays();
  const rowsOf = async (asOf: string) => {
    const query = { zone, asOf, size: 100 };
    return (await boss(reports.rows, { params: { id: company.id }, query })).body.items;
  };
  const { items, counts } = await read(company.id);
  await ageOneDay(db);
  await boss(privacy.erase, { body: { userId: passes?.user.id as string } });
  const later = await read(company.id, { since: day(2), asOf: day(1) });
  expect(later.counts).toEqual(counts);
  expect(later.items.find(({ userId }) => userId === null)).toMatchObject({
    name: null,
    kinds: ["started", "completed", "score"],
  });
  expect(new Set(later.items.map(({ id, kinds }) => `${id} ${kinds}`))).toEqual(
    new Set(items.map(({ id, kinds }) => `${id} ${kinds}`)),
  );
  const stateOf = (row: ReportRow) => JSON.stringify([row.id, row.status, row.overdue, row.scorePercent, row.dueDate]);
  const [before, after] = [await rowsOf(day(2)), await rowsOf(day(1))];
  const changed = new Set(
    [...before.filter((row) => !after.some((one) => stateOf(one) === stateOf(row))), ...after]
      .filter((row) => !before.some((one) => stateOf(one) === stateOf(row)))
      .concat(before.filter((row) => !after.some(({ id }) => id === row.id)))
      .map(({ id }) => id),
  );
  expect(new Set(later.items.map(({ id }) => id))).toEqual(changed);
});
