import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { todays } from "#shared/today/today.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { createCertifier } from "#test/certificates.ts";
import { committer, openPart } from "#test/commits.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { type Person, start } from "#test/start.ts";

// The next course of a learner, what is due, what expires and what was completed lately

const server = await start();
const { as, make } = server;
const admin = await make.admin();
const call = as(admin);
const commit = committer(as);
const { complete, demand, moveTo, work } = createRequirementTester(server, admin);

const read = async (person: Person) => bodyOf(await as(person)(todays.read));
const assign = async (courseId: string, { user }: Person) =>
  bodyOf(await call(courses.assign, { params: { id: courseId }, body: { userIds: [user.id] } }));
const setDue = async (courseId: string, { user }: Person, dueDate: string | null) =>
  bodyOf(await call(courses.setDue, { params: { id: courseId }, body: { userIds: [user.id], dueDate } }));
const open = async (person: Person, companyId: string, courseId: string) =>
  bodyOf(await commit(await make.launch(person, companyId, courseId), { events: openPart() }));

/** A learner with so many courses, given one after the other. */
async function room(count: number, timezone = "UTC") {
  const company = await make.company(admin, { timezone });
  const ada = await make.learner(company.accessCode, "Ada");
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const { id } = await make.course(admin);
    await assign(id, ada);
    ids.push(id);
  }
  return { company, ada, ids };
}

test("continues the course used last, then takes the earliest due, then the oldest", async () => {
  const { company, ada, ids } = await room(4);
  const [first, second, third, fourth] = ids as [string, string, string, string];
  const nextId = async () => (await read(ada)).next?.courseId;
  expect(await nextId()).toBe(first);
  await setDue(third, ada, dayIn(200));
  await setDue(fourth, ada, dayIn(100));
  expect(await nextId()).toBe(fourth);
  await open(ada, company.id, second);
  expect(await nextId()).toBe(second);
  await open(ada, company.id, third);
  expect(await nextId()).toBe(third);
  await complete(ada, company.id, third);
  expect(await nextId()).toBe(second);
  bodyOf(await call(courses.withdraw, { params: { id: second }, body: { userIds: [ada.user.id] } }));
  expect(await nextId()).toBe(fourth);
  await complete(ada, company.id, fourth);
  await complete(ada, company.id, first);
  expect(await read(ada)).toMatchObject({ next: null, hasCourses: true });
});

test("names the part that opens, and the minutes that are left", async () => {
  const { company, ada } = await room(0);
  const items = ["One", "Two"].map(
    (title, at) => `<item identifier="i${at + 1}" identifierref="r1"><title>${title}</title></item>`,
  );
  const { id, version } = await make.course(admin, {
    files: { "imsmanifest.xml": manifest12(items.join("")), "index.html": "<p>Part</p>" },
  });
  await call(courses.update, { params: { id }, body: { minutes: 30, version } });
  await assign(id, ada);
  expect((await read(ada)).next).toMatchObject({ part: { number: 1, title: "One" }, minutesLeft: 30 });
  bodyOf(await commit(await make.launch(ada, company.id, id), { events: openPart(1, "i2") }));
  expect((await read(ada)).next).toMatchObject({ part: { number: 2, title: "Two" }, status: "in_progress" });
});

test("lists what is overdue, then what is soon due, without the next course", async () => {
  const { ada, ids } = await room(5);
  const days = [1, -40, 90, 91, -50];
  for (const [at, id] of ids.entries()) await setDue(id, ada, dayIn(days[at] as number));
  const { next, due } = await read(ada);
  expect(next).toMatchObject({ courseId: ids[4], overdue: true });
  expect(due.items.map(({ id, overdue }) => [id, overdue])).toEqual([
    [ids[1], true],
    [ids[0], false],
    [ids[2], false],
  ]);
  expect(due.total).toBe(3);
});

test("bounds the list of what is due, and says how much there is", async () => {
  const { ada, ids } = await room(8);
  const body = { userIds: [ada.user.id], dueDate: dayIn(3) };
  for (const id of ids) bodyOf(await call(courses.setDue, { params: { id }, body }));
  const { due } = await read(ada);
  expect([due.items.length, due.total]).toEqual([6, 7]);
});

test("names the learning path of a course, and steps whose courses have no due date", async () => {
  const { walk } = createPathTester(server, admin);
  const { ada, ids } = await room(1);
  const [given, cleared] = [(await make.course(admin)).id, (await make.course(admin)).id];
  const path = await walk([stepOf(given, { dueDays: 5 }), stepOf([cleared], { dueDays: 9 })], [ada], "Start well");
  await setDue(cleared, ada, null);
  await setDue(ids[0] as string, ada, dayIn(-1));
  const { due } = await read(ada);
  expect(due.items.map(({ kind, id, path, dueDate }) => [kind, id, path, dueDate])).toEqual([
    ["course", given, "Start well", dayIn(5)],
    ["step", path, "Start well", dayIn(9)],
  ]);
});

test("a due date ends with the day of the company, not with that of another zone", async () => {
  const [early, late] = [await room(2, "Pacific/Kiritimati"), await room(2, "Pacific/Pago_Pago")];
  // Their days differ by 25 hours, so today in one is over in the other.
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Pago_Pago" }).format(new Date());
  for (const { ada, ids } of [early, late]) for (const id of ids) await setDue(id, ada, day);
  const overdueOf = async ({ ada }: typeof early) => {
    const { next, due } = await read(ada);
    return [next?.overdue, due.items[0]?.overdue];
  };
  expect(await overdueOf(early)).toEqual([true, true]);
  expect(await overdueOf(late)).toEqual([false, false]);
});

test("tells what expires and when it opens again, until it is open", async () => {
  const { company, ada, ids } = await room(2);
  const [first, courseId] = ids as [string, string];
  await setDue(first, ada, dayIn(1));
  await demand(company.id, courseId);
  await complete(ada, company.id, courseId);
  expect((await read(ada)).expiring.total).toBe(0);
  await moveTo(ada, courseId, addMonths(dayIn(80), -12));
  const { expiring, due, earned } = await read(ada);
  expect(expiring.items).toMatchObject([{ courseId, validUntil: dayIn(80), opensOn: dayIn(20) }]);
  expect([due.total, earned.total]).toEqual([0, 0]);
  await moveTo(ada, courseId, addMonths(dayIn(60), -12));
  await work();
  const opened = await read(ada);
  expect(opened.expiring.total).toBe(0);
  expect(opened.due.items).toMatchObject([{ id: courseId, dueDate: dayIn(60) }]);
});

test("shows what was completed lately, with score and certificate", async () => {
  const { company, ada, ids } = await room(2);
  const [plain, certified] = ids as [string, string];
  await createCertifier(server).switchOn(admin, certified);
  await complete(ada, company.id, plain);
  await moveTo(ada, plain, dayIn(-90));
  await complete(ada, company.id, certified);
  const { earned } = await read(ada);
  expect(earned.items).toMatchObject([
    { id: certified, completedOn: dayIn(0), scorePercent: 90, certificate: expect.any(String) },
    { id: plain, completedOn: dayIn(-90), certificate: null },
  ]);
  await moveTo(ada, plain, dayIn(-91));
  expect((await read(ada)).earned.total).toBe(1);
});

test("shows nothing of another company, also to who came from there", async () => {
  const { company, ada, ids } = await room(1);
  await setDue(ids[0] as string, ada, dayIn(2));
  await demand(company.id, ids[0] as string);
  const other = await make.company(admin);
  const stranger = await make.learner(other.accessCode, "Bo");
  const empty = { next: null, due: { total: 0 }, expiring: { total: 0 }, earned: { total: 0 }, hasCourses: false };
  expect(await read(stranger)).toMatchObject(empty);
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: other.id } }));
  expect(await read(await make.signIn(ada.user.email))).toMatchObject(empty);
  expect(await read(admin)).toMatchObject({ ...empty, hasCatalogue: false });
});

test("says whether the catalogue offers anything", async () => {
  const { offer } = createCatalogueTester(server, admin);
  const { company, ada } = await room(0);
  expect((await read(ada)).hasCatalogue).toBe(false);
  await offer(company.id);
  expect((await read(ada)).hasCatalogue).toBe(true);
});
