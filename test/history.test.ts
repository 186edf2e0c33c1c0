import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { enrolmentRows, membershipRows } from "#test/historyRows.ts";
import { type Person, start } from "#test/start.ts";

// Append-only history of enrolments, memberships, companies and courses (docs/decisions/0020-history.md)

const server = await start();
const { as, make, db } = server;
const send = committer(as);

const changes = (rows: { change: string; reason: string | null }[]) =>
  rows.map(({ change, reason }) => `${change} by ${reason ?? "the system"}`);
/** An admin, a company with one learner, and a published course that nobody has yet. */
async function createClass() {
  const admin = await make.admin();
  const company = await make.company(admin);
  const learner = await make.learner(company.accessCode);
  const course = await make.course(admin);
  return { admin, company, learner, course, params: { id: course.id }, ids: [learner.user.id] };
}
/** A visit that completes the course with a score; events at 1 s, 2 s … */
async function complete(learner: Person, companyId: string, courseId: string, score = "80") {
  const session = await make.launch(learner, companyId, courseId);
  const events = [
    ...openPart(),
    setValue(3, "cmi.core.score.raw", score),
    setValue(4, "cmi.core.lesson_status", "passed"),
  ];
  const reply = await send(session, { events, activeMs: 3000, end: "exit" });
  expect(reply.status).toBe(200);
  return session;
}

test("every change of an enrolment by an admin is a row with who, why and its state", async () => {
  const { admin, learner, course, params, ids } = await createClass();
  const boss = as(admin);
  await boss(courses.assign, { params, body: { userIds: ids, dueDate: "2031-01-01" } });
  const due = await boss(courses.setDue, { params, body: { userIds: ids, dueDate: "2032-02-02" } });
  await boss(courses.undo, { params: { id: due.body.undoId } });
  await boss(courses.withdraw, { params, body: { filter: {} } });
  await boss(courses.restore, { params, body: { userIds: ids } });
  await boss(courses.withdraw, { params, body: { userIds: ids } });
  await boss(learners.assign, { body: { ids, courseIds: [course.id], dueDate: "2033-03-03" } });
  const rows = await enrolmentRows(db, learner.user.id);
  expect(changes(rows)).toEqual([
    "assigned by courses.assign",
    "due by courses.setDue",
    "due by courses.undo",
    "withdrawn by courses.withdraw",
    "restored by courses.restore",
    "withdrawn by courses.withdraw",
    "restored by learners.assign",
  ]);
  expect(rows.map(({ status }) => status).join()).toBe(
    "assigned,assigned,assigned,withdrawn,assigned,withdrawn,assigned",
  );
  expect(rows.map(({ dueDate }) => dueDate?.slice(0, 4)).join()).toBe("2031,2032,2031,2031,2031,2031,2033");
  expect(new Set(rows.map(({ actorId }) => actorId))).toEqual(new Set([admin.user.id]));
  expect(rows.every(({ happenedAt, recordedAt }) => happenedAt <= recordedAt)).toBe(true);
});

test("courses of a company, of an invitation and of a move are rows as well", async () => {
  const { admin, company, learner, course } = await make.classroom();
  const target = await make.company(admin);
  const boss = as(admin);
  await boss(courses.assign, { params: { id: course.id }, body: { companyIds: [target.id], dueDate: "2031-01-01" } });
  await boss(learners.move, { body: { ids: [learner.user.id], companyId: target.id } });
  expect(changes(await enrolmentRows(db, learner.user.id))).toEqual([
    "assigned by courses.assign",
    "assigned by learners.move",
  ]);
  const email = `history-${randomUUID()}@example.com`;
  await boss(learners.invite, { body: { companyId: company.id, people: [{ email }], courseIds: [] } });
  const invited = (await boss(learners.list, { query: { q: email } })).body.items[0]?.id as string;
  const joined = await make.learner(company.accessCode);
  const [byInvitation, byCode] = [await enrolmentRows(db, invited), await enrolmentRows(db, joined.user.id)];
  expect([...changes(byInvitation), ...changes(byCode)]).toEqual([
    "assigned by learners.invite",
    "assigned by auth.register",
  ]);
  expect([byInvitation[0]?.actorId, byCode[0]?.actorId]).toEqual([admin.user.id, null]);
  const removed = await boss(companies.removeCourse, { params: { id: company.id, courseId: course.id } });
  expect(removed.status).toBe(200);
  expect(changes(await enrolmentRows(db, joined.user.id)).at(-1)).toBe("withdrawn by companies.removeCourse");
});

test("a learner who completes a course writes rows with version and attempt", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await complete(learner, company.id, course.id);
  const again = await make.launch(learner, company.id, course.id, { newAttempt: true });
  await send(again, { events: [...openPart(), setValue(3, "cmi.core.score.raw", "95")] });
  const rows = await enrolmentRows(db, learner.user.id);
  expect(changes(rows)).toEqual([
    "assigned by courses.assign",
    "attempt by player.launch",
    "completed by player.commit",
    "attempt by player.launch",
    "result by player.commit",
  ]);
  expect(rows.map(({ attemptNo, scorePercent, success }) => [attemptNo, scorePercent, success])).toEqual([
    [null, null, "unknown"],
    [1, null, "unknown"],
    [1, 80, "passed"],
    [2, 80, "passed"],
    [2, 95, "passed"],
  ]);
  expect(rows.slice(1).every(({ actorId }) => actorId === learner.user.id)).toBe(true);
  expect(rows[1]?.versionId).toBe(
    (await db.selectFrom("attempts").where("id", "=", session.attemptId).select("versionId").executeTakeFirstOrThrow())
      .versionId,
  );
});

test("a commit that changes no outcome writes no row", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  const before = await enrolmentRows(db, learner.user.id);
  for (let seq = 3; seq < 20; seq++)
    await send(session, { events: [setValue(seq, "cmi.core.lesson_location", `p${seq}`)], activeMs: seq * 100 });
  expect(changes(before).at(-1)).toBe("started by player.commit");
  expect(await enrolmentRows(db, learner.user.id)).toEqual(before);
  const { rows } = await sql`select * from enrolment_activity where enrolment_id in
    (select id from enrolments where user_id = ${learner.user.id})`.execute(db);
  expect(rows).toEqual([]);
});

test("what was completed offline has the time at which it happened", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await db
    .updateTable("sessions")
    .set({ startedAt: sql`now() - interval '3 hours'` })
    .where("id", "=", session.sessionId)
    .execute();
  const { startedAt } = await db
    .selectFrom("sessions")
    .where("id", "=", session.sessionId)
    .select("startedAt")
    .executeTakeFirstOrThrow();
  const at = (minutes: number) => minutes * 60_000;
  const { status } = await send(session, {
    events: [
      ...openPart(),
      { ...setValue(3, "cmi.core.lesson_status", "completed"), t: at(20) },
      { ...setValue(4, "cmi.core.lesson_location", "the end"), t: at(90) },
    ],
  });
  expect(status).toBe(200);
  const row = (await enrolmentRows(db, learner.user.id)).at(-1);
  expect(row?.change).toBe("completed");
  expect(Date.parse(row?.happenedAt ?? "") - Date.parse(startedAt)).toBe(at(20));
  expect(Date.parse(row?.recordedAt ?? "") - Date.parse(startedAt)).toBeGreaterThanOrEqual(at(180));
});

test("every change of a membership is a row: joined, moved, suspended, role, gone", async () => {
  const { admin, company, learner, ids } = await createClass();
  const target = await make.company(admin);
  const boss = as(admin);
  await boss(learners.suspend, { body: { ids, reason: "a secret reason" } });
  await boss(learners.reactivate, { body: { ids } });
  await boss(learners.move, { body: { ids, companyId: target.id } });
  await boss(learners.update, { params: { id: learner.user.id }, body: { name: "Only a name", version: 4 } });
  await sql`update users set role = 'admin', company_id = null where id = ${learner.user.id}`.execute(db);
  const rows = await membershipRows(db, learner.user.id);
  expect(changes(rows)).toEqual([
    "created by auth.register",
    "suspended by learners.suspend",
    "restored by learners.reactivate",
    "moved by learners.move",
    "role by the system",
  ]);
  expect(rows.map(({ companyId }) => companyId)).toEqual([company.id, company.id, company.id, target.id, null]);
  expect(rows.map(({ actorId }) => actorId)).toEqual([null, ...Array.from({ length: 3 }, () => admin.user.id), null]);
  expect(rows.map(({ role, status }) => `${role} ${status}`)).toEqual([
    "learner active",
    "learner suspended",
    "learner active",
    "learner active",
    "admin active",
  ]);
  expect(JSON.stringify(rows)).not.toContain("secret");
  await sql`delete from users where id = ${learner.user.id}`.execute(db);
  expect(await membershipRows(db, learner.user.id)).toEqual([]);
});

test("a company and a course keep their states, time zones and versions", async () => {
  const { admin, company, course } = await createClass();
  const boss = as(admin);
  let { version } = company;
  const params = { id: company.id };
  for (const status of ["suspended", "active", "archived"] as const)
    await boss(companies.setStatus, { params, body: { status, version: version++ } });
  await boss(companies.update, { params, body: { timezone: "Asia/Kathmandu", notes: "x", version } });
  const read = async (table: string, key: string, id: string) =>
    (
      await sql<{
        change: string;
        reason: string | null;
      }>`select * from ${sql.table(table)} where ${sql.ref(key)} = ${id} order by id`.execute(db)
    ).rows;
  expect(changes(await read("company_history", "company_id", company.id))).toEqual([
    "created by companies.create",
    "suspended by companies.setStatus",
    "restored by companies.setStatus",
    "archived by companies.setStatus",
    "timezone by companies.update",
  ]);
  expect((await read("course_history", "course_id", course.id)).map(({ change }) => change)).toEqual([
    "created",
    "version",
    "published",
  ]);
});

test("a change that fails leaves no row", async () => {
  const { admin, learner, ids } = await createClass();
  const full = await make.company(admin, { learnerLimit: 1 });
  await make.learner(full.accessCode);
  const before = await membershipRows(db, learner.user.id);
  expect((await as(admin)(learners.move, { body: { ids, companyId: full.id } })).status).toBe(409);
  expect(await membershipRows(db, learner.user.id)).toEqual(before);
});

test("the last row is the present state, also after many changes at once", async () => {
  const { admin, company, course, params } = await createClass();
  const people = [];
  for (let n = 0; n < 4; n++) people.push(await make.learner(company.accessCode));
  const ids = people.map(({ user }) => user.id);
  const second = await make.admin();
  await as(admin)(courses.assign, { params, body: { userIds: ids } });
  await Promise.all([
    ...people.map((person) => complete(person, company.id, course.id)),
    ...[1, 2, 3].map((n) => as(admin)(courses.setDue, { params, body: { userIds: ids, dueDate: `203${n}-01-01` } })),
    ...[1, 2].map(() =>
      as(second)(courses.assign, { params, body: { companyIds: [company.id], dueDate: "2040-01-01" } }),
    ),
  ]);
  const { rows } = await sql`
    select e.id from enrolments e left join lateral (select * from enrolment_history where enrolment_id = e.id order by id desc limit 1) h on true
    where e.course_id = ${course.id} and (h.status, h.success, h.score_percent, h.due_date) is distinct from (e.status, e.success, e.score_percent, e.due_date)`.execute(
    db,
  );
  expect(rows).toEqual([]);
  for (const id of ids) {
    const times = (await enrolmentRows(db, id)).map(({ recordedAt }) => recordedAt);
    expect(times).toEqual(times.toSorted());
  }
});
