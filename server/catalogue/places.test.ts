import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Places and waiting lists, also when several people and jobs change them at the same moment

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, work, check, company, people, offer, change, join, leave, withdraw, read } = tester;
const { requestOf, statusOf, mailsTo } = tester;

const stateOf = async (person: Person, companyId: string) => (await requestOf(companyId, person))?.status;
const moveTo = (person: Person, companyId: string) =>
  call(learners.move, { body: { ids: [person.user.id], companyId } });

/** A course with one place that Ada has, and Ben and Cleo wait for, in this order. */
async function queue(terms = {}) {
  const acme = await company();
  const [ada, ben, cleo] = (await people(acme.accessCode, "Ada", "Ben", "Cleo")) as [Person, Person, Person];
  const made = await offer(acme.id, { places: 1, ...terms });
  expect((await join(ada, made.id, "enrol")).status).toBe(200);
  for (const person of [ben, cleo]) expect(bodyOf(await join(person, made.id, "wait")).status).toBe("waiting");
  return { acme, ada, ben, cleo, ...made };
}

test("people on a waiting list see how many are ahead, and move up in order", async () => {
  const { acme, ada, ben, cleo, id, courseId } = await queue();
  expect(bodyOf(await read(ben, id)).before).toBe(0);
  expect(bodyOf(await read(cleo, id)).before).toBe(1);
  expect(await join(cleo, id, "enrol")).toMatchObject({ status: 200, body: { status: "waiting" } });
  await leave(ada, id);
  // A place that was just given back belongs to the waiting list, also before the job has run.
  expect(await join(ada, id, "enrol")).toMatchObject({ status: 409, code: "catalogue.full" });
  await work();
  expect(await statusOf(ben, courseId)).toBe("assigned");
  expect(await stateOf(cleo, acme.id)).toBe("waiting");
  expect(await mailsTo(ben)).toEqual(["placed"]);
  expect(bodyOf(await read(cleo, id)).before).toBe(0);
});

test("a place is free after a withdrawal, a suspension, a move and an erasure", { timeout: 60_000 }, async () => {
  const ways: Record<string, (person: Person, courseId: string) => Promise<{ status: number }>> = {
    withdrawal: (person, courseId) =>
      call(courses.withdraw, { params: { id: courseId }, body: { userIds: [person.user.id] } }),
    suspension: (person) => call(learners.suspend, { body: { ids: [person.user.id] } }),
    move: async (person) => moveTo(person, (await company()).id),
    erasure: (person) => as(person)(privacy.erase, { body: {} }),
  };
  for (const [way, free] of Object.entries(ways)) {
    const { ada, ben, cleo, courseId } = await queue();
    expect([way, (await free(ada, courseId)).status]).toEqual([way, 200]);
    await work();
    expect([way, await statusOf(ben, courseId), await statusOf(cleo, courseId)]).toEqual([way, "assigned", null]);
  }
});

test("more places, or any number, empty the waiting list", async () => {
  for (const [places, expected] of [
    [2, ["enrolled", "waiting"]],
    [null, ["enrolled", "enrolled"]],
  ] as const) {
    const { acme, ben, cleo, id } = await queue();
    await change(acme.id, id, { places });
    await work();
    expect([await stateOf(ben, acme.id), await stateOf(cleo, acme.id)]).toEqual(expected);
  }
});

test("a course that is taken out ends its list with an email; hiding it does not", async () => {
  const { acme, ada, ben, cleo, id, courseId } = await queue();
  await change(acme.id, id, { isVisible: false, places: 1 });
  await work();
  expect(await stateOf(ben, acme.id)).toBe("waiting");
  bodyOf(await call(courses.withdraw, { params: { id: courseId }, body: { userIds: [ada.user.id] } }));
  await work();
  expect(await statusOf(ben, courseId)).toBe("assigned");
  await call(catalogue.remove, { params: { id } });
  await work();
  expect(await requestOf(acme.id, cleo)).toMatchObject({ status: "closed", closed: "offer" });
  expect(await mailsTo(cleo)).toEqual(["closed"]);
  expect(await statusOf(ben, courseId)).toBe("assigned");
});

test("a course that came another way ends a request within a minute", async () => {
  const { acme, ben, cleo, courseId } = await queue();
  bodyOf(await call(courses.assign, { params: { id: courseId }, body: { userIds: [ben.user.id] } }));
  await check();
  expect(await requestOf(acme.id, ben)).toMatchObject({ status: "closed", closed: "has" });
  expect(await stateOf(cleo, acme.id)).toBe("waiting");
});

test("a free place of a course on request opens the next request", async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  const { id } = await offer(acme.id, { way: "request", places: 1 });
  await join(ada, id, "ask");
  expect(await join(ben, id, "ask")).toMatchObject({ status: 409, code: "catalogue.full" });
  await join(ben, id, "wait");
  await withdraw(ada, id);
  await work();
  expect(await stateOf(ben, acme.id)).toBe("open");
});

test("loops of joining and leaving send one email a day", async () => {
  const { ada, ben, cleo, id, courseId } = await queue();
  bodyOf(await withdraw(cleo, id));
  bodyOf(await leave(ada, id));
  await work();
  for (let round = 0; round < 3; round++) {
    bodyOf(await leave(ben, id));
    bodyOf(await join(ada, id, "enrol"));
    bodyOf(await join(ben, id, "wait"));
    bodyOf(await leave(ada, id));
    await work();
    expect(await statusOf(ben, courseId)).toBe("assigned");
  }
  expect(await mailsTo(ben)).toEqual(["placed"]);
});
