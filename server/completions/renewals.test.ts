import { expect, test } from "vitest";
import { recountLearning } from "#server/reports/recount.ts";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { bodyOf } from "#test/probes.ts";
import { addMonths, createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// Decisions about completions, and courses that open again

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const tester = createRequirementTester(server, admin);
const { work, demand, complete, moveTo, cellOf, enrolmentOf } = tester;
const reason = "Done on paper";

/** Someone in a course that is required every year. */
async function room() {
  const { company, course, learners } = await tester.room();
  const [person] = learners as [Person];
  await demand(company.id, course.id);
  const id = (await enrolmentOf(person, course.id))?.id ?? "";
  const read = async () => bodyOf(await as(admin)(completions.get, { params: { id } }));
  const decide = async (name: "set" | "reopen" | "restart") => {
    const { attemptNo, status } = await read();
    return as(admin)(completions[name], { params: { id }, body: { reason, attemptNo, status } });
  };
  const undo = async () => as(admin)(completions.undo, { params: { id: (await read()).decisions[0]?.id ?? "" } });
  const own = async () => bodyOf(await as(person)(completions.mine, { params: { id: course.id } }));
  const mine = async () => bodyOf(await as(person)(courses.mine)).items[0];
  /** Its latest completion is eleven months old. */
  const renew = async () => {
    await moveTo(person, course.id, addMonths(dayIn(30), -12));
    await work();
    expect(await enrolmentOf(person, course.id)).toMatchObject({ status: "assigned" });
  };
  const take = () => complete(person, company.id, course.id);
  return { company, course, person, read, decide, undo, own, mine, renew, take };
}

test("a completion that an admin set counts until the course opens again", async () => {
  const { read, decide, undo, own, mine, renew, take } = await room();
  bodyOf(await decide("set"));
  expect(await mine()).toMatchObject({ status: "completed", setByAdmin: true });
  await renew();
  expect(await read()).toMatchObject({
    attemptNo: 0,
    isSetByAdmin: false,
    state: { isMet: false },
    decisions: [{ kind: "set", canUndo: false }],
  });
  expect(await own()).toMatchObject({ setByAdmin: null, reopened: null, attemptNo: 0 });
  expect(await undo()).toMatchObject({ status: 409, code: "completions.openedSince" });
  await take();
  expect(await mine()).toMatchObject({ status: "completed", setByAdmin: false });
  expect(await read()).toMatchObject({ isSetByAdmin: false, completedBy: expect.not.stringContaining("admin") });
  expect(await recountLearning(db)).toEqual([]);
});

test("what an admin told of an earlier cycle is not told again", async () => {
  const { decide, own, renew, take, read } = await room();
  bodyOf(await decide("set"));
  bodyOf(await decide("reopen"));
  expect(await own()).toMatchObject({ reopened: { reason } });
  await take();
  await renew();
  expect(await own()).toMatchObject({ reopened: null });
  expect((await read()).decisions.filter(({ canUndo }) => canUndo)).toEqual([]);
});

test("a renewal that an admin sets complete and takes back is open since the same day", async () => {
  const { company, course, person, decide, undo, renew, take, read } = await room();
  await take();
  await renew();
  const open = await cellOf(company.id, person, course.id);
  const before = await enrolmentOf(person, course.id);
  bodyOf(await decide("set"));
  expect(await cellOf(company.id, person, course.id)).toMatchObject({ validUntil: addMonths(dayIn(0), 12) });
  bodyOf(await undo());
  expect(await cellOf(company.id, person, course.id)).toEqual(open);
  expect(await enrolmentOf(person, course.id)).toEqual(before);
  expect(await read()).toMatchObject({ attemptNo: 0, status: "assigned" });
  expect(await recountLearning(db)).toEqual([]);
});

test("starting over in a renewal leaves the earlier cycle as it was", async () => {
  const { course, person, decide, undo, renew, take, read } = await room();
  await take();
  await renew();
  expect(await decide("restart")).toMatchObject({ status: 409, code: "completions.neverOpened" });
  await take();
  bodyOf(await decide("restart"));
  expect(await enrolmentOf(person, course.id)).toMatchObject({ status: "in_progress", completedAt: null });
  const { attemptNo } = await read();
  expect(attemptNo).toBe(3);
  const attempts = await db
    .selectFrom("attempts")
    .where("userId", "=", person.user.id)
    .orderBy("no")
    .select(["no", "completion"])
    .execute();
  expect(attempts).toEqual([
    { no: 1, completion: "complete" },
    { no: 2, completion: "incomplete" },
    { no: 3, completion: expect.not.stringMatching("^complete$") },
  ]);
  bodyOf(await undo());
  expect(await enrolmentOf(person, course.id)).toMatchObject({ status: "completed" });
  expect(await recountLearning(db)).toEqual([]);
});
