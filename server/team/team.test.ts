import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { managers } from "#shared/managers/managers.ts";
import { team } from "#shared/team/team.ts";
import { start } from "#test/start.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, app, make, db } = server;
const admin = await make.admin();
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A company with three courses, led by Ana: Ben directly, Cleo through Ben; Dan has no manager. */
async function office() {
  const company = await make.company(admin);
  const names = ["Ana", "Ben", "Cleo", "Dan"] as const;
  const people = {} as Record<(typeof names)[number], Awaited<ReturnType<typeof make.learner>>>;
  for (const name of names) people[name] = await make.learner(company.accessCode, name);
  const idOf = (name: (typeof names)[number]) => people[name].user.id;
  const lead = (manager: (typeof names)[number], ...led: (typeof names)[number][]) =>
    as(admin)(learners.setManager, { body: { ids: led.map(idOf), managerId: idOf(manager) } });
  await lead("Ana", "Ben");
  await lead("Ben", "Cleo");
  const assign = async (days: number, ...to: (typeof names)[number][]) => {
    const course = await make.course(admin);
    const body = { companyIds: [], userIds: to.map(idOf), dueDate: day(days), notify: false };
    await as(admin)(courses.assign, { params: { id: course.id }, body });
    return course;
  };
  return { company, people, idOf, lead, assign };
}

test("the home shows who is overdue, due soon and has not begun, and nobody else", async () => {
  const { people, assign } = await office();
  await assign(-3, "Ben", "Dan");
  await assign(5, "Cleo", "Ana");
  const { body } = await as(people.Ana)(team.home);
  expect(body).toMatchObject({ people: 2, direct: 1, idle: { total: 2 } });
  expect(body.figures).toEqual({ inOrder: 0, overdue: 1, dueSoon: 1, notStarted: 2, ending: 0 });
  expect(body.overdue.map(({ name, daysOver }) => [name, daysOver])).toEqual([["Ben", 3]]);
  expect(body.dueNext.map(({ name, daysOver }) => [name, daysOver])).toEqual([["Cleo", -5]]);
  expect(body.courses.map(({ assigned, overdue, notStarted }) => [assigned, overdue, notStarted])).toEqual([
    [1, 1, 0],
    [1, 0, 1],
  ]);
  expect((await as(people.Ben)(team.home)).body).toMatchObject({ people: 1, overdue: [] });
});

test("the list is filtered, sorted and exported, and never has the manager", async () => {
  const { people, idOf, lead, assign } = await office();
  await lead("Ana", "Dan");
  const late = await assign(-3, "Dan");
  await assign(30, "Ben");
  const list = async (query = {}) =>
    (await as(people.Ana)(team.list, { query })).body.items.map(({ name, state }) => `${name}: ${state}`);
  expect(await list()).toEqual(["Dan: overdue", "Ben: notStarted", "Cleo: none"]);
  expect(await list({ sort: "-name" })).toEqual(["Dan: overdue", "Cleo: none", "Ben: notStarted"]);
  expect(await list({ state: "overdue" })).toEqual(["Dan: overdue"]);
  expect(await list({ state: "inOrder" })).toEqual(["Ben: notStarted"]);
  expect(await list({ reports: "indirect" })).toEqual(["Cleo: none"]);
  expect(await list({ courseId: late.id })).toEqual(["Dan: overdue"]);
  expect(await list({ q: "cle" })).toEqual(["Cleo: none"]);
  expect((await as(people.Ana)(team.list, { query: { size: 1, page: 2 } })).body).toMatchObject({ total: 3 });
  const file = await app.inject({
    url: `${team.export.path}?reports=direct`,
    headers: { authorization: `Bearer ${people.Ana.token}` },
  });
  expect([file.statusCode, file.headers["x-rows"]]).toEqual([200, "2"]);
  expect(file.body).toContain(`Dan,${people.Dan.user.email},Ana,Overdue,1,0,1,0,`);
  expect(file.body).not.toContain(idOf("Ana"));
});

test("an export has everyone in the order of the list, batch by batch", async () => {
  const { people, company, idOf } = await office();
  await sql`
    with added as (
      insert into users (email, name, status, company_id)
      select 'team-' || n || '-' || ${idOf("Ana")}, 'Zoe ' || lpad(n::text, 4, '0'), 'active', ${company.id}
      from generate_series(1, 2100) n
      returning id
    )
    insert into managers (user_id, manager_id, company_id, since)
    select id, ${idOf("Ben")}, ${company.id}, now()
    from added`.execute(db);
  const file = await app.inject({
    url: `${team.export.path}?sort=-name&q=zoe`,
    headers: { authorization: `Bearer ${people.Ana.token}` },
  });
  expect(file.headers["x-rows"]).toBe("2100");
  const names = file.body.trim().split("\r\n").slice(1);
  expect(names.map((line) => line.slice(0, 8))).toEqual(
    Array.from({ length: 2100 }, (_, n) => `Zoe ${String(2100 - n).padStart(4, "0")}`),
  );
});

test("one person has status, dates and validity, and the view is recorded for them", async () => {
  const { people, idOf, assign } = await office();
  const course = await assign(4, "Cleo");
  const { sessionId } = await make.launch(people.Cleo, people.Cleo.user.companyId as string, course.id);
  expect(sessionId).toBeTruthy();
  const reply = await as(people.Ana)(team.get, { params: { id: idOf("Cleo") } });
  expect(reply.body).toMatchObject({ name: "Cleo", direct: false, manager: "Ben" });
  expect(reply.body.courses).toMatchObject([
    { course: course.title, state: "dueSoon", dueDate: day(4), completedOn: null, certificate: null },
  ]);
  for (const word of ["score", "seconds", "answer", "lastActive", "activity", "session", "progress"])
    expect(JSON.stringify(reply.body).toLowerCase()).not.toContain(word.toLowerCase());
  const views = (await as(people.Cleo)(audit.mine)).body.items.filter(({ action }) => action === "team.open");
  expect(views.map(({ actor }) => actor)).toEqual(["Ana"]);
});

test("a person whom one does not lead answers as one that does not exist", async () => {
  const { people, idOf } = await office();
  const other = await office();
  const read = (id: string) => as(people.Ben)(team.get, { params: { id } });
  const unknown = await read("00000000-0000-4000-8000-000000000000");
  expect(unknown.status).toBe(404);
  for (const id of [idOf("Dan"), idOf("Ana"), idOf("Ben"), other.idOf("Cleo"), admin.user.id]) {
    const foreign = await read(id);
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  }
  expect((await read(idOf("Cleo"))).status).toBe(200);
  const seen = (await as(other.people.Cleo)(audit.mine)).body.items;
  expect(seen.filter(({ action }) => action === "team.open")).toEqual([]);
});

test("a reminder has a preview, reaches only one's own people, and once in 20 hours", async () => {
  const { people, idOf, assign } = await office();
  await assign(-2, "Ben", "Cleo", "Dan");
  const everybody = [idOf("Ben"), idOf("Cleo"), idOf("Dan"), idOf("Ana")];
  const preview = (body: object) => as(people.Ana)(team.remindPreview, { body });
  expect((await preview({ ids: everybody })).body.items.map(({ name }) => name).toSorted()).toEqual(["Ben", "Cleo"]);
  expect((await preview({})).body.total).toBe(2);
  expect((await as(people.Ben)(team.remind, { body: { ids: everybody } })).body).toEqual({ changed: 1 });
  expect((await as(people.Ana)(team.remind, { body: { ids: everybody } })).body).toEqual({ changed: 1 });
  const again = await preview({});
  expect(again.body).toMatchObject({ total: 0, leftOut: { total: 2 } });
  const marked = await sql<{ name: string }>`
    select users.name
    from enrolments
    join users on users.id = enrolments.user_id
    where reminded_at is not null
      and users.id = any(${everybody}::uuid[])
    order by 1`.execute(db);
  expect(marked.rows.map(({ name }) => name)).toEqual(["Ben", "Cleo"]);
});

test("who leads nobody has no team, and access ends at once on every node", { timeout: 60_000 }, async () => {
  const { people, idOf, company } = await office();
  const other = await server.startAnother();
  const visit = async (node: { app: typeof app }, url = "/api/team") =>
    (await node.app.inject({ url, headers: { authorization: `Bearer ${people.Ana.token}` } })).statusCode;
  const nodes = [server, other] as { app: typeof app }[];
  const both = async (url?: string) => Promise.all(nodes.map((node) => visit(node, url)));
  expect((await as(people.Dan)(team.home)).status).toBe(403);
  expect((await as(admin)(team.home)).status).toBe(403);
  expect(await both()).toEqual([200, 200]);
  await as(admin)(learners.setManager, { body: { ids: [idOf("Ben")], managerId: null } });
  await expect.poll(() => both(), { timeout: 5000 }).toEqual([403, 403]);
  await as(admin)(learners.setManager, { body: { ids: [idOf("Ben")], managerId: idOf("Ana") } });
  await expect.poll(() => both(), { timeout: 5000 }).toEqual([200, 200]);
  await as(admin)(managers.allow, { params: { id: company.id }, body: { seePeople: false } });
  await expect.poll(() => both(`/api/team/people/${idOf("Ben")}`), { timeout: 5000 }).toEqual([403, 403]);
  expect((await as(people.Ana)(auth.me)).body.leadsPeople).toBeUndefined();
});

test("people of a suspended or invited manager are direct reports of the next above", async () => {
  const { people, idOf } = await office();
  const list = async () =>
    (await as(people.Ana)(team.list)).body.items.map(({ name, direct }) => `${name} ${direct ? "direct" : "indirect"}`);
  expect((await list()).toSorted()).toEqual(["Ben direct", "Cleo indirect"]);
  await as(admin)(learners.suspend, { body: { ids: [idOf("Ben")] } });
  expect(await list()).toEqual(["Cleo direct"]);
  await as(admin)(learners.reactivate, { body: { ids: [idOf("Ben")] } });
  expect((await list()).toSorted()).toEqual(["Ben direct", "Cleo indirect"]);
});
