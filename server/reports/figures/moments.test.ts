import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { type FigureGroup } from "#shared/reports/reportFigures.ts";
import { reports } from "#shared/reports/reports.ts";
import { start } from "#test/start.ts";

// The second of a session that a row of a report leads to

const { as, db, make } = await start();
const send = committer(as);
const MINUTE = 60_000;

/**
 * Three learners: one passes after 30 s and returns later, one leaves after 7 s of a second session, one opens nothing.
 */
async function createRoom() {
  const room = await make.classroom();
  const { admin, company, course } = room;
  const [passes, leaves, idle] = [
    await make.learner(company.accessCode),
    await make.learner(company.accessCode),
    await make.learner(company.accessCode),
  ];
  const userIds = [passes, leaves, idle].map(({ user }) => user.id);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds } });
  const open = async (person: typeof passes, minutesAgo: number) => {
    const session = await make.launch(person, company.id, course.id, { takeOver: true });
    const startedAt = new Date(Date.now() - minutesAgo * MINUTE).toISOString();
    await db.updateTable("sessions").set({ startedAt }).where("id", "=", session.sessionId).execute();
    return session;
  };
  const first = await open(passes, 40);
  const passed = { ...setValue(3, "cmi.core.lesson_status", "passed"), t: 30_000 };
  await send(first, { events: openPart() });
  await send(first, { events: [passed], end: "exit" });
  const again = await open(passes, 20);
  await send(again, { events: openPart(), end: "exit" });
  const before = await open(leaves, 40);
  await send(before, { events: openPart(), end: "exit" });
  const last = await open(leaves, 20);
  await send(last, {
    events: [...openPart(), { ...setValue(3, "cmi.core.lesson_location", "2"), t: 7000 }],
    end: "exit",
  });
  const read = async (id: string, group: FigureGroup) => {
    const { items } = (await as(admin)(reports.rows, { params: { id }, query: { group } })).body;
    return new Map(items.map(({ userId, sessionId, t }) => [userId, { sessionId, t }]));
  };
  return { ...room, passes, leaves, idle, first, before, last, read };
}

test("a row leads to the completion, the start or the moment of leaving", async () => {
  const { company, course, passes, leaves, idle, first, before, last, read } = await createRoom();
  for (const id of [company.id, course.id]) {
    const assigned = await read(id, "assigned");
    expect(assigned.get(passes.user.id)).toEqual({ sessionId: first.sessionId, t: 30_000 });
    expect(assigned.get(leaves.user.id)).toEqual({ sessionId: last.sessionId, t: 7000 });
    expect(assigned.get(idle.user.id)).toEqual({ sessionId: null, t: null });
    const started = await read(id, "started");
    expect(started.get(passes.user.id)).toEqual({ sessionId: first.sessionId, t: 0 });
    expect(started.get(leaves.user.id)).toEqual({ sessionId: before.sessionId, t: 0 });
  }
});
