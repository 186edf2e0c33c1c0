import { sql } from "kysely";
import { expect, test } from "vitest";
import { tellUnclear } from "#server/lessons/unclear/jobs.ts";
import { recountLessons } from "#server/player/recountLessons.ts";
import { courses } from "#shared/courses/courses.ts";
import { unclearMarks } from "#shared/lessons/unclear/unclearMarks.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import type { Launch } from "#shared/player/player.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { replays } from "#shared/reports/replays.ts";
import { reports } from "#shared/reports/reports.ts";
import { committer } from "#test/commits.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { getLesson, lessonRoom } from "#test/lessonRoom.ts";
import { choiceQuestion, courseOf, lessonEvents, paragraph } from "#test/lessons.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, db, make, services } = server;
const send = committer(as);

const LESSON = "lesson-read";
const mark = (key: string, line = "") => ({
  type: "block.unclear" as const,
  key,
  value: { isMarked: true, line } as object,
});
const takeBack = (key: string) => ({ ...mark(key), value: { isMarked: false } });
type Marks = ReturnType<typeof mark>[];

async function openRoom() {
  const text = paragraph("The second hook goes to the anchor ring.");
  const { block: question } = choiceQuestion("Where does the second hook go?");
  const room = await lessonRoom(server, courseOf({ id: LESSON, title: "Hooks", blocks: [text, question] }));
  const params = { id: room.courseId };
  const list = async (who: Person = room.admin) => (await as(who)(unclearMarks.list, { params })).body.items;
  const deal = (until: string, isDealt = true, who: Person = room.admin) =>
    as(who)(unclearMarks.deal, { params, body: { lessonId: LESSON, blockId: text.id, until, isDealt } });
  const join = async (company = room.company) => {
    const learner = await make.learner(company.accessCode);
    return { learner, session: await make.launch(learner, company.id, room.courseId) };
  };
  const store = (session: Launch, marks: Marks, first = 1) =>
    send(session, { events: lessonEvents(LESSON, [{ type: "nav" as const }, ...marks], first) });
  return { ...room, text, question, list, deal, join, store };
}

test("authors read what is unclear, with lines and without names", async () => {
  const room = await openRoom();
  const session = await room.launch();
  const { status, body } = await room.store(session, [mark(room.text.id, "Which ring?\u0000"), mark(room.question.id)]);
  expect([status, body.lessons?.refused ?? []]).toEqual([200, []]);
  // Marks count for nothing.
  expect(body.attempt).toMatchObject({ completion: "incomplete", progress: 0, scorePercent: null });
  const second = await room.join();
  await room.store(second.session, [mark(room.text.id)]);
  const items = await room.list();
  expect(items).toMatchObject([
    {
      lessonId: LESSON,
      lesson: "Hooks",
      blockId: room.text.id,
      about: "The second hook goes to the anchor ring.",
      version: 1,
      open: 2,
      people: 2,
      lines: [{ line: "Which ring?", day: new Date().toISOString().slice(0, 10), isDealt: false }],
    },
    { blockId: room.question.id, open: 1, lines: [] },
  ]);
  for (const secret of [room.learner.user.id, room.learner.user.name, room.learner.user.email, session.sessionId])
    expect(JSON.stringify(items)).not.toContain(secret);
});

test("a mark is taken back, and the last one counts whichever arrives first", async () => {
  const room = await openRoom();
  const session = await room.launch();
  await room.store(session, [mark(room.text.id, "Which ring?"), takeBack(room.text.id)]);
  expect(await room.list()).toEqual([]);
  await send(session, { events: lessonEvents(LESSON, [mark(room.text.id, "That one?")], 4) });
  expect((await room.list())[0]?.lines).toMatchObject([{ line: "That one?" }]);
  const state = (await getLesson(server, session, LESSON)).body.state;
  expect(state.unclear?.[room.text.id]?.line).toBe("That one?");
  // A window that was taken over sends late what it did before.
  const earlier = { ...lessonEvents(LESSON, [takeBack(room.text.id)], 5)[0]!, t: 0 };
  await send(session, { events: [earlier] });
  expect((await room.list())[0]?.open).toBe(1);
  expect(await recountLessons(db)).toEqual([]);
});

test("the recount restores marks that were lost", async () => {
  const room = await openRoom();
  await room.store(await room.launch(), [mark(room.text.id, "Which ring?")]);
  await sql`
    update part_states
    set lesson = lesson - 'unclear'
    from attempts
    where attempts.id = part_states.attempt_id
      and attempts.course_id = ${room.courseId}`.execute(db);
  expect(await room.list()).toEqual([]);
  expect(await recountLessons(db)).toHaveLength(1);
  expect((await room.list())[0]?.lines).toMatchObject([{ line: "Which ring?" }]);
});

test("hostile marks are refused and change nothing", async () => {
  const room = await openRoom();
  const session = await room.launch();
  const long = mark(room.text.id, "x".repeat(301));
  const odd = { ...mark(room.text.id), value: { isMarked: "yes" } };
  const { body } = await room.store(session, [mark("no-such-block"), long, odd]);
  expect(body.lessons?.refused.map(({ reason }) => reason)).toEqual(["unknownBlock", "invalid", "invalid"]);
  expect(await room.list()).toEqual([]);
});

test("what was dealt with stays so until more arrives, and only up to what was seen", async () => {
  const room = await openRoom();
  const session = await room.launch();
  await room.store(session, [mark(room.text.id, "Which ring?")]);
  const seen = (await room.list())[0]!.until;
  const other = await room.join();
  await room.store(other.session, [mark(room.text.id, "And the first hook?")]);
  expect((await room.deal(seen)).body).toEqual({ changed: 1 });
  expect((await room.list())[0]).toMatchObject({
    open: 1,
    people: 2,
    lines: [
      { line: "And the first hook?", isDealt: false },
      { line: "Which ring?", isDealt: true },
    ],
  });
  await room.deal((await room.list())[0]!.until);
  expect((await room.list())[0]?.open).toBe(0);
  await room.deal((await room.list())[0]!.until, false);
  expect((await room.list())[0]?.open).toBe(2);
});

test("admins of a company read and change only marks of its people", async () => {
  const room = await openRoom();
  await room.store(await room.launch(), [mark(room.text.id, "Ours")]);
  const far = await make.company(room.admin);
  await as(room.admin)(courses.assign, { params: { id: room.courseId }, body: { companyIds: [far.id] } });
  const { session } = await room.join(far);
  await room.store(session, [mark(room.text.id, "Theirs")]);
  const ofCompany = await make.admin();
  await limitToCompany(db, ofCompany, room.company.id);
  const [item] = await room.list(ofCompany);
  expect(item).toMatchObject({ open: 1, lines: [{ line: "Ours" }] });
  const later = new Date(Date.now() + 60_000).toISOString();
  expect((await room.deal(later, true, ofCompany)).body).toEqual({ changed: 1 });
  expect((await room.list())[0]).toMatchObject({ open: 1, people: 2 });
});

test("who replays a session sees that a block was marked, not the line", async () => {
  const room = await openRoom();
  const session = await room.launch();
  await room.store(session, [mark(room.text.id, "Which ring?")]);
  const params = { id: session.sessionId };
  const boss = as(room.admin);
  const events = (await boss(replays.replayEvents, { params, query: {} })).body;
  const shown = (await boss(replays.replayLesson, { params, query: { seq: 2 } })).body;
  const read = (await boss(reports.session, { params })).body;
  expect(events.events.at(-1)).toMatchObject({ type: "block.unclear", value: '{"isMarked":true}' });
  expect(shown.shown?.lesson.state.unclear?.[room.text.id]?.line).toBe("");
  for (const reply of [events, shown, read]) expect(JSON.stringify(reply)).not.toContain("Which ring?");
  // One's own report has it.
  expect(JSON.stringify((await as(room.learner)(reports.session, { params })).body)).toContain("Which ring?");
});

test("authors are told once a day, each of the people of their scope", async () => {
  const room = await openRoom();
  const ofCompany = await make.admin();
  await limitToCompany(db, ofCompany, room.company.id);
  const stranger = await make.admin();
  await limitToCompany(db, stranger, (await make.company(room.admin)).id);
  await room.store(await room.launch(), [mark(room.text.id), mark(room.question.id)]);
  await room.store((await room.join()).session, [mark(room.text.id)]);
  await tellUnclear.work(services, {});
  await tellUnclear.work(services, {});
  const link = `/courses/${room.courseId}/unclear`;
  const told = async (who: Person) =>
    (await as(who)(notifications.list, { query: {} })).body.items
      .filter((item) => item.link === link)
      .map(({ kind, params }) => [kind, params["count"]]);
  expect(await told(ofCompany)).toEqual([["unclearMarked", 2]]);
  expect(await told(room.admin)).toEqual([["unclearMarked", 2]]);
  expect(await told(stranger)).toEqual([]);
});

test("marks are in the person's export, and go with the person", async () => {
  const room = await openRoom();
  await room.store(await room.launch(), [mark(room.text.id, "Which ring?")]);
  const { body } = await as(room.learner)(privacy.export);
  expect(JSON.stringify(body)).toContain("Which ring?");
  const erased = await as(room.admin)(privacy.erase, { body: { userId: room.learner.user.id } });
  expect(erased.status).toBe(200);
  expect(await room.list()).toEqual([]);
});
