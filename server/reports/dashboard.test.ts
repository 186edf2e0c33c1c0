import { sql } from "kysely";
import { expect, test } from "vitest";
import { readDashboard } from "#server/reports/dashboard.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import { reports } from "#shared/reports/reports.ts";
import type { User } from "#shared/core/users.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { createEventMaker } from "#test/events.ts";
import { createQuestionMaker } from "#test/questions.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, db, make } = server;

/** Four learners of one company: on time, late, overdue and not started; and one whose completion is long ago. */
async function createResults() {
  const admin = await make.admin();
  const company = await make.company(admin);
  const course = await make.course(admin);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  const people = [];
  for (const name of ["On Time", "Too Late", "Over Due", "Not Started", "Long Ago"])
    people.push(await make.learner(company.accessCode, name));
  const [onTime, late, overdue, , longAgo] = people.map(({ user }) => user.id);
  const update = (userId: string | undefined, values: ReturnType<typeof sql>) =>
    sql`update enrolments set ${values} where user_id = ${userId}`.execute(db);
  await update(
    onTime,
    sql`status = 'completed', completed_at = now() - interval '4 days', due_date = current_date - 2`,
  );
  await update(late, sql`status = 'completed', completed_at = now() - interval '2 days', due_date = current_date - 9`);
  await update(overdue, sql`status = 'in_progress', first_started_at = now(), due_date = current_date - 3`);
  await update(longAgo, sql`status = 'completed', completed_at = now() - interval '45 days'`);
  return { admin, company, course };
}

test("counts learners, completions, punctuality and overdue enrolments", async () => {
  const { admin, company, course } = await createResults();
  const { body } = await as(admin)(reports.dashboard, { query: { days: 30 } });
  expect(body.summary).toEqual({
    activeLearners: 0,
    learners: 5,
    completed: 2,
    completedBefore: 1,
    fellDue: 3,
    onTime: 1,
    overdue: 1,
    overdueCompanies: 1,
    activeSeconds: 0,
  });
  expect(body.attention.filter(({ kind }) => kind === "overdue")).toMatchObject([
    { title: course.title, values: { company: company.name, count: 1 } },
  ]);
});

test("counts active learners and their time from sessions, previews excluded", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const before = (await as(admin)(reports.dashboard)).body.summary;
  const session = await make.launch(learner, company.id, course.id);
  await make.launch(admin, company.id, course.id);
  await sql`update sessions set active_ms = 90000 where id = ${session.sessionId}`.execute(db);
  const { summary } = (await as(admin)(reports.dashboard)).body;
  expect(summary.activeLearners - before.activeLearners).toBe(1);
  expect(Number(summary.activeSeconds) - Number(before.activeSeconds)).toBe(90);
  const read = async () => (await as(admin)(reports.dashboard)).body.summary;
  const change = (values: ReturnType<typeof sql>) =>
    sql`update sessions set ${values} where id = ${session.sessionId}`.execute(db);
  await change(sql`ended_at = now(), end_reason = 'timeout'`);
  expect(await read()).toEqual(summary);
  await change(sql`ended_at = null, active_ms = 150000`);
  expect(Number((await read()).activeSeconds) - Number(before.activeSeconds)).toBe(150);
});

test("a commit of a session that goes on changes no index", async () => {
  const { learner, company, course } = await make.classroom();
  const { sessionId } = await make.launch(learner, company.id, course.id);
  const changed = await db.transaction().execute(async (tx) => {
    // The page of the row may be full: the first update then moves it to another one.
    for (const ms of [1000, 2000])
      await sql`
        update sessions
        set active_ms = active_ms + ${ms}::int,
          last_seen_at = now(),
          commits = commits + 1
        where id = ${sessionId}`.execute(tx);
    const { rows } = await sql<{ hot: number }>`
      select pg_stat_get_xact_tuples_hot_updated('sessions'::regclass)::int as hot`.execute(tx);
    return rows[0]?.hot;
  });
  expect(changed).toBeGreaterThan(0);
});

test("simultaneous requests of one scope share a reading while it is under way", async () => {
  const { admin, company } = await make.classroom();
  const other = await make.admin();
  const boss = { ...other.user, companyId: company.id };
  const read = (user: User, days = 30) => readDashboard({ ...server.services, user }, days);
  const first = read(admin.user);
  expect(read(other.user)).toBe(first);
  const others = [read(boss), read(admin.user, 90)];
  expect(others).not.toContain(first);
  await Promise.all([first, ...others]);
  await make.learner(company.accessCode);
  expect((await read(admin.user)).summary.learners).toBe((await first).summary.learners + 1);
});

test("lists sixteen calendar weeks, the current one last", async () => {
  const { admin } = await make.classroom();
  const { weeks } = (await as(admin)(reports.dashboard)).body;
  const { rows } = await sql<{ monday: string }>`select date_trunc('week', now())::date::text as monday`.execute(db);
  expect([weeks.length, weeks.at(-1)?.week]).toEqual([16, rows[0]?.monday]);
  expect(weeks.at(-1)?.completed).toBeGreaterThanOrEqual(0);
});

test("warns while invited accounts can be claimed without a mail server", async () => {
  const withMails = await start({ SMTP_URL: "smtp://127.0.0.1:1" });
  for (const [server, count] of [
    [await start(), 2],
    [withMails, undefined],
  ] as const) {
    const admin = await server.make.admin();
    const company = await server.make.company(admin);
    const readWarning = async () =>
      (await server.as(admin)(reports.dashboard)).body.attention.find(({ kind }) => kind === "claimsUnverified");
    expect(await readWarning()).toBeUndefined();
    const people = ["ina", "ivo"].map((name) => ({ name, email: `${name}@example.com` }));
    await server.as(admin)(learners.invite, { body: { companyId: company.id, people, courseIds: [] } });
    // Accounts of admins are opened only with the link.
    await server.db
      .insertInto("users")
      .values({ email: "boss@example.org", role: "admin", status: "invited" })
      .execute();
    expect((await readWarning())?.values.count).toBe(count);
  }
});

test("reports that an academy has no recent backup, and that it has one", async () => {
  const server = await start();
  const admin = await server.make.admin();
  const find = async () =>
    (await server.as(admin)(reports.dashboard)).body.attention.find(({ kind }) => kind === "backupMissing");
  expect(await find()).toBeUndefined();
  await server.db
    .updateTable("users")
    .set({ createdAt: sql<string>`now() - interval '8 days'` })
    .execute();
  expect((await find())?.values).toEqual({ count: 0 });
  await sql`
    insert into backups (started_at, finished_at, bytes, rows, files)
    values (now() - interval '9 days', now() - interval '9 days', 1, 1, 1)`.execute(server.db);
  expect((await find())?.values).toEqual({ count: 9 });
  await sql`insert into backups (started_at, bytes, rows, files) values (now(), 1, 1, 1)`.execute(server.db);
  expect(await find()).toBeUndefined();
});

test("an overdue card has the earliest and the latest of several due dates", async () => {
  const { admin, company } = await createResults();
  await sql`
    update enrolments
    set status = 'in_progress',
      due_date = '2020-02-03'
    where user_id in (select id from users where name = 'Not Started' and company_id = ${company.id})`.execute(db);
  const { body } = await as(admin)(reports.dashboard, { query: { days: 30 } });
  const card = body.attention.find(({ kind, values }) => kind === "overdue" && values.company === company.name);
  const { rows } = await sql<{ day: string }>`select (current_date - 3)::text as day`.execute(db);
  expect(card?.values).toMatchObject({ count: 2, dueFrom: "2020-02-03", dueTo: rows[0]?.day });
});

test("no kind of issue hides another: the first of each kind comes first", async () => {
  for (let company = 0; company < 3; company++) await createResults();
  const admin = await make.admin();
  const mail = {
    recipient: "a@example.com",
    reason: "x",
    subject: "x",
    body: "x",
    html: "",
    status: "failed" as const,
  };
  await db.insertInto("mails").values(mail).execute();
  const { attention } = (await as(admin)(reports.dashboard)).body;
  const kinds = attention.map(({ kind }) => kind);
  expect(kinds.slice(0, new Set(kinds).size)).toEqual([...new Set(kinds)]);
  expect(kinds).toContain("mailFailing");
  expect(kinds.filter((kind) => kind === "overdue").length).toBeGreaterThan(2);
});

test("names the part at which many learners stopped, to admins of their company only", async () => {
  const { admin, company, course } = await make.classroom();
  const find = async (who = admin) =>
    (await as(who)(reports.dashboard)).body.attention.filter(
      ({ title, kind }) => kind === "dropOff" && title === course.title,
    );
  const parts = [1, 2].map((number) => ({ sco: `part-${number}`, title: `Part ${number}` }));
  await sql`update course_versions set parts = ${JSON.stringify(parts)} where course_id = ${course.id}`.execute(db);
  const people = await Promise.all(Array.from({ length: 12 }, () => make.learner(company.accessCode)));
  const ids = people.map(({ user }) => user.id);
  await sql`
    update enrolments
    set status = 'in_progress',
      current_part = 'part-2',
      first_started_at = now() - interval '30 days',
      last_activity_at = now() - interval '20 days'
    where user_id = any(${ids}::uuid[])`.execute(db);
  expect(await find()).toMatchObject([{ values: { part: "Part 2", count: 12, started: 12 } }]);
  const { admin: other } = await make.classroom();
  await limitToCompany(db, other, (await make.company(admin)).id);
  expect(await find(other)).toEqual([]);
  // Three of them came back.
  await sql`update enrolments set last_activity_at = now() where user_id = any(${ids.slice(0, 3)}::uuid[])`.execute(db);
  expect(await find()).toEqual([]);
});

test("names questions asked three times without an answer, until they are dismissed", async () => {
  const { createBot, ask, group } = createQuestionMaker(server);
  const { admin, learner } = await make.classroom();
  const bot = await createBot(admin);
  const question = "Is the canteen open on Sundays?";
  const find = async () =>
    (await as(admin)(reports.dashboard)).body.attention.filter(({ kind }) => kind === "unanswered");
  await ask(learner, bot, question, question);
  await group();
  expect(await find()).toEqual([]);
  await ask(learner, bot, "Canteen open Sundays?");
  await group();
  const [named] = await find();
  expect(named).toMatchObject({ title: question, values: { count: 3, chatbot: bot.name } });
  const id = new URL(named!.link, "http://x").searchParams.get("question")!;
  await as(admin)(questionClusters.update, { params: { id }, body: { status: "dismissed" } });
  expect(await find()).toEqual([]);
});

test("names connections whose last call failed, and budgets spent beyond 80 %", async () => {
  const admin = await make.admin();
  const find = async (kind: string) =>
    (await as(admin)(reports.dashboard)).body.attention.filter((one) => one.kind === kind);
  const { id } = await db
    .insertInto("connectors")
    .values({ name: "Stand-in", kind: "openai", status: "active" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const setSpent = (spentMicros: number) =>
    sql`
      insert into ai_budgets (kind, owner_id, limit_micros, spent_micros)
      values ('connector', ${id}, 1000, ${spentMicros})
      on conflict (kind, owner_id) do update set spent_micros = excluded.spent_micros`.execute(db);
  await setSpent(800);
  expect([await find("connectorFailing"), await find("budgetSpent")]).toEqual([[], []]);
  await setSpent(801);
  await db.updateTable("connectors").set({ lastErrorCode: "bad_key", failures: 2 }).where("id", "=", id).execute();
  expect(await find("connectorFailing")).toMatchObject([{ title: "Stand-in", values: { code: "bad_key" } }]);
  expect(await find("budgetSpent")).toMatchObject([{ title: "Stand-in", values: { kind: "connector", count: 80 } }]);
  await db.deleteFrom("aiBudgets").where("ownerId", "=", id).execute();
  await db.deleteFrom("connectors").where("id", "=", id).execute();
});

test("names the next events that are published, the soonest first", async () => {
  const { admin } = await make.classroom();
  const { createPublished } = createEventMaker(server);
  const soon = await createPublished(admin, { title: "Soon" });
  const moveStart = (id: string, hours: number) =>
    sql`
      update events
      set starts_at = now() + make_interval(hours => ${hours}::int),
        ends_at = now() + make_interval(hours => ${hours + 1}::int)
      where id = ${id}`.execute(db);
  await moveStart(soon.id, 1);
  const past = await createPublished(admin, { title: "Past" });
  await moveStart(past.id, -2);
  const { events } = (await as(admin)(reports.dashboard)).body;
  expect(events[0]).toMatchObject({ id: soon.id, title: "Soon", taken: 0 });
  expect(events.map(({ id }) => id)).not.toContain(past.id);
});
