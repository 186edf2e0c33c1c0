import { sql } from "kysely";
import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { type Company, companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { ageOneDay, endOfQuarter, readFigures, readFiguresAsOf } from "#test/historyRows.ts";
import { scaled } from "#test/long.ts";
import { type Person, start } from "#test/start.ts";

// Figures as of each day, computed at the end from the history, equal those that were read from the tables on that day

const { as, make, db } = await start();
const send = committer(as);
const SEED = Number(process.env.SEED ?? 20_31);
const DAYS = scaled(6, 40);
const ACTS = 8;

test(`figures as of every earlier day equal those of that day (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const random = createRandom(SEED);
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const admin = await make.admin();
  const boss = as(admin);
  const rooms: Company[] = [];
  for (const erasurePolicy of ["anonymise", "delete", "retain"] as const) {
    const made = await make.company(admin);
    rooms.push(
      (
        await boss(companies.update, {
          params: { id: made.id },
          body: { erasurePolicy, retentionYears: 3, version: made.version },
        })
      ).body,
    );
  }
  const lessons = [await make.course(admin), await make.course(admin)];
  let people: Person[] = [];
  const join = async () => void people.push(await make.learner(pick(rooms).accessCode));
  for (let n = 0; n < 5; n++) await join();
  const ofSome = () => ({ userIds: people.filter(() => random() < 0.5).map(({ user }) => user.id) });
  const idsOfOne = () => ({ ids: [pick(people).user.id] });
  const params = () => ({ id: pick(lessons).id });
  const dueDate = () => pick([null, "2020-01-01", "2020-06-01", "2090-01-01"]);
  const undoable: string[] = [];
  const keep = (reply: { status: number; body: { undoId?: string } }) => {
    if (reply.status === 200 && reply.body.undoId) undoable.push(reply.body.undoId);
  };

  const study = async () => {
    const person = await make.signIn(pick(people).user.email).catch(() => null);
    if (!person) return;
    const { rows } = await sql<{ companyId: string; courseId: string }>`select company_id, course_id from enrolments e
      where user_id = ${person.user.id} and status <> 'withdrawn'
      and company_id = (select company_id from users where id = e.user_id) order by course_id`.execute(db);
    if (rows.length === 0) return;
    const { companyId, courseId } = pick(rows);
    const session = await make.launch(person, companyId, courseId, { newAttempt: random() < 0.3 }).catch(() => null);
    if (!session) return;
    const outcome = pick(["incomplete", "failed", "passed"]);
    const events = [...openPart(), setValue(3, "cmi.core.score.raw", String(Math.floor(random() * 100)))];
    await send(session, { events, activeMs: 1000 });
    if (outcome !== "incomplete")
      await send(session, { events: [setValue(4, "cmi.core.lesson_status", outcome)], activeMs: 3000, end: "exit" });
  };
  const erase = async () => {
    const person = pick(people);
    if (people.length < 6) return join();
    people = people.filter((one) => one !== person);
    expect((await boss(privacy.erase, { body: { userId: person.user.id } })).status).toBe(200);
  };
  const acts = [
    join,
    ...Array.from({ length: 7 }, () => study),
    erase,
    async () => keep(await boss(courses.assign, { params: params(), body: { ...ofSome(), dueDate: dueDate() } })),
    async () => keep(await boss(courses.assign, { params: params(), body: { companyIds: [pick(rooms).id] } })),
    async () => keep(await boss(courses.setDue, { params: params(), body: { ...ofSome(), dueDate: dueDate() } })),
    async () => keep(await boss(courses.withdraw, { params: params(), body: ofSome() })),
    async () => keep(await boss(courses.restore, { params: params(), body: { filter: { status: "withdrawn" } } })),
    async () => {
      const id = undoable.pop();
      if (id) await boss(courses.undo, { params: { id } });
    },
    () => boss(learners.move, { body: { ...idsOfOne(), companyId: pick(rooms).id } }),
    () => boss(learners.suspend, { body: idsOfOne() }),
    () => boss(learners.reactivate, { body: { ids: people.map(({ user }) => user.id) } }),
    async () => {
      const { id } = pick(rooms);
      const { version } = (await boss(companies.get, { params: { id } })).body;
      await boss(companies.update, { params: { id }, body: { timezone: pick(["UTC", "Asia/Kathmandu"]), version } });
    },
    async () => {
      const course = (await boss(courses.get, { params: params() })).body;
      const status = course.status === "published" ? "draft" : "published";
      await boss(courses.setStatus, { params: { id: course.id }, body: { status, version: course.version } });
    },
  ];

  for (const { id } of lessons)
    await boss(courses.assign, { params: { id }, body: { companyIds: rooms.map((room) => room.id) } });
  const issued = [];
  for (let day = 0; day < DAYS; day++) {
    for (let n = 0; n < ACTS; n++) await pick(acts)();
    issued.push(await readFigures(db));
    if (day < DAYS - 1) await ageOneDay(db);
  }
  expect(issued.every(({ rows }) => rows.length > 0)).toBe(true);
  for (const [day, figures] of issued.entries()) {
    const today = await readFiguresAsOf(db, await endOfQuarter(db, DAYS - 1 - day));
    expect({ day, ...today }).toEqual({ day, ...figures });
  }
});
