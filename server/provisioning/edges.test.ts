import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDirectories, GROUP, PATCH, patchOf, type ScimList, type ScimUser, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { companies } from "#shared/companies/companies.ts";
import { fields } from "#shared/fields/fields.ts";
import { learners } from "#shared/learners/learners.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

// Where a directory, an admin and another request meet

const server = await start();
const { as, db } = server;
const { company } = createDirectories(server);
const off = patchOf({ op: "replace", path: "active", value: false });

/** A company with `size` people, the learner included, who have been there for a while. */
async function crew(size: number) {
  const room = await company();
  const people: string[] = [];
  for (let at = 1; at < size; at++) people.push((await room.create({ userName: `p${at}`, externalId: `e${at}` })).id);
  await room.age();
  const params = { id: room.company.id };
  const settings = async () => (await as(room.admin)(provisioning.get, { params })).body;
  const suspend = (at: number) => room.call("PATCH", `/Users/${people[at]}`, off);
  return { ...room, people, params, settings, suspend };
}
const rowOf = (id: string) => db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
const lastResult = async (companyId: string) =>
  (
    await db
      .selectFrom("provisioningCalls")
      .where("companyId", "=", companyId)
      .orderBy("id", "desc")
      .select("result")
      .executeTakeFirst()
  )?.result;

test("a suspension by an admin ends the wait for a decision", async () => {
  const { people, suspend, settings, admin } = await crew(10);
  const replies = [await suspend(0), await suspend(1)];
  expect(
    replies.map(({ status }) => status),
    JSON.stringify(replies.map(({ body }) => body)),
  ).toEqual([200, 503]);
  expect((await settings()).waiting, JSON.stringify(replies[1]?.body)).toBe(1);
  const reply = await as(admin)(learners.suspend, { body: { ids: [String(people[1])], reason: "Left" } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect((await settings()).waiting).toBe(0);
});

test("people whom the directory creates make no room for suspensions", async () => {
  const { create, suspend } = await crew(20);
  for (let at = 0; at < 40; at++) await create({ userName: `new-${at}` });
  expect([(await suspend(0)).status, (await suspend(1)).status, (await suspend(2)).status]).toEqual([200, 200, 503]);
});

test("a person who is suspended twice counts once", async () => {
  const { people, patch, suspend } = await crew(20);
  for (const at of [0, 1]) expect((await suspend(at)).status).toBe(200);
  await patch(String(people[0]), { op: "replace", path: "active", value: true });
  expect((await suspend(0)).status).toBe(200);
  expect((await suspend(2)).status).toBe(503);
});

test("a suspension counts even if others have all the user names of the person", async () => {
  const { learner, people, call, company: of } = await crew(12);
  const { id, email } = learner.user;
  for (const [at, name] of [email, id].entries())
    await db
      .updateTable("provisionedPeople")
      .set({ userName: name })
      .where("userId", "=", String(people[at]))
      .execute();
  expect((await call("PATCH", `/Users/${id}`, off)).status).toBe(200);
  const linked = await db
    .selectFrom("provisionedPeople")
    .where("companyId", "=", of.id)
    .where("suspendedAt", "is not", null)
    .select("userId")
    .execute();
  expect(linked).toEqual([{ userId: id }]);
  expect((await call("PATCH", `/Users/${people[0]}`, off)).status).toBe(503);
});

test("a person who moves to another company while joining a group is in neither", async () => {
  const [room, other] = [await crew(3), await company()];
  const [a, b] = room.people as [string, string];
  const group = await room.done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName: "Crew" });
  const members = [{ value: a }, { value: b }];
  let adding: ReturnType<typeof room.call> | undefined;
  await db.transaction().execute(async (tx) => {
    await tx.updateTable("users").set({ companyId: other.company.id }).where("id", "=", a).execute();
    adding = room.call("PATCH", `/Groups/${group.id}`, patchOf({ op: "add", path: "members", value: members }));
    const countWaiting = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting
        from pg_stat_activity
        where wait_event_type = 'Lock'
          and datname = current_database()`.execute(db);
      return rows[0]?.waiting;
    };
    await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1);
  });
  expect((await adding)?.status).toBe(400);
  const named = await db.selectFrom("groupProvidedMembers").where("groupId", "=", group.id).select("userId").execute();
  expect(named).toEqual([]);
});

test("a group that is replaced may still name people who have left", async () => {
  const { people, call, done } = await crew(20);
  const [a, b] = people as [string, string];
  const group = await done<ScimUser>("POST", "/Groups", {
    schemas: [GROUP],
    displayName: "Crew",
    members: [{ value: a }],
  });
  await done("DELETE", `/Users/${a}`);
  const members = [{ value: a }, { value: b }, { value: crypto.randomUUID() }];
  const put = await call("PUT", `/Groups/${group.id}`, { schemas: [GROUP], displayName: "Crew", members });
  expect([put.status, put.body]).toMatchObject([200, { members: [{ value: b }] }]);
});

test("members who are not of the company are neither listed nor found", async () => {
  const [room, other] = [await crew(3), await company()];
  const stranger = other.learner.user.id;
  const group = await room.done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName: "Crew" });
  await db.insertInto("groupProvidedMembers").values({ groupId: group.id, userId: stranger }).execute();
  expect(await room.done("GET", `/Groups/${group.id}`)).not.toHaveProperty("members");
  for (const filter of [`members.value eq "${stranger}"`, "members.display pr", 'members[type eq "User"]'])
    expect([filter, (await room.find(filter, "Groups")).totalResults]).toEqual([filter, 0]);
});

test("an inactive person needs no seat", async () => {
  const { call, admin, params } = await crew(4);
  const { version } = (await as(admin)(companies.get, { params })).body;
  const full = await as(admin)(companies.update, { params, body: { learnerLimit: 4, version } });
  expect(full.status, JSON.stringify(full.body)).toBe(200);
  const post = (userName: string, active: boolean) => call("POST", "/Users", { schemas: [USER], userName, active });
  expect((await post("fifth", true)).status).toBe(409);
  expect((await post("inactive", false)).status).toBe(201);
});

test("the negation of a comparison finds those without a value", async () => {
  const { create, find, learner } = await crew(1);
  await create({ userName: "with", externalId: "x", emails: [{ value: "with@edges.test", type: "work" }] });
  await create({ userName: "without" });
  const others = [learner.user.email, "without"].toSorted();
  for (const filter of [
    'not (externalId eq "x")',
    'not (externalId eq "x" or externalId eq "y")',
    'not (emails.value eq "WITH@edges.test")',
    'not (emails[type eq "work" and value eq "with@edges.test"])',
    'not (userName eq "WITH")',
  ]) {
    const { Resources } = await find(filter);
    expect([filter, Resources.map(({ userName }) => userName).toSorted()]).toEqual([filter, others]);
  }
});

test("people are found by any of their addresses, in any case", async () => {
  const { create, find } = await crew(1);
  const work = { value: "ada.work@edges.test", type: "work", primary: true };
  const { id } = await create({ userName: "ada", emails: [work, { value: "Ada.Home@Edges.test", type: "home" }] });
  const ids = async (filter: string) => (await find(filter)).Resources.map((one) => one.id);
  for (const filter of [
    'emails.value eq "ADA.WORK@edges.test"',
    'emails eq "ada.home@edges.TEST"',
    'emails[type eq "home"].value eq "ada.home@edges.test"',
    'emails[type eq "work" and value eq "ada.work@edges.test"]',
  ])
    expect([filter, await ids(filter)]).toEqual([filter, [id]]);
  for (const filter of ['emails[type eq "home"].value eq "ada.work@edges.test"', 'emails.value eq "ada"'])
    expect([filter, await ids(filter)]).toEqual([filter, []]);
});

test.each([
  [
    "an operator that is no text",
    {
      schemas: [PATCH],
      Operations: [{ op: ["add"], value: { title: "x" } }],
    },
  ],
  [
    "a list in place of a schema",
    {
      schemas: [[PATCH]],
      Operations: [{ op: "add", value: { title: "x" } }],
    },
  ],
])("%s is refused", async (_, body) => {
  const { people, call, read } = await crew(2);
  const reply = await call("PATCH", `/Users/${people[0]}`, body);
  expect([reply.status, reply.body]).toMatchObject([400, { scimType: "invalidSyntax" }]);
  expect(await read(String(people[0]))).not.toHaveProperty("title");
});

test.each<[string, object]>([
  ["before", { emails: "no address", "name[x": 1, active: false }],
  ["after", { active: "False", "emails[type": "x", title: { a: [] } }],
])("a wrong attribute %s active keeps nobody from being suspended", async (_, value) => {
  const { people, call, company: of } = await crew(12);
  const reply = await call("PATCH", `/Users/${people[0]}`, patchOf({ op: "replace", value }));
  expect([reply.status, reply.body]).toMatchObject([200, { active: false }]);
  expect((await rowOf(String(people[0]))).status).toBe("suspended");
  expect(await lastResult(of.id)).toBe("onlySuspended");
});

test("a name that is too long is cut off", async () => {
  const { create } = await crew(1);
  for (const said of [{ displayName: "x".repeat(300) }, { name: { givenName: "y".repeat(300), familyName: "z" } }]) {
    const { id } = await create({ userName: crypto.randomUUID(), ...said });
    expect((await rowOf(id)).name).toMatch(/^(x{120}|y{120})$/);
  }
});

test("a field that was archived is mapped no more, and can be again", async () => {
  const { admin, params, settings, create, find } = await crew(1);
  const { body: field } = await as(admin)(fields.create, {
    body: { companyId: params.id, key: "job", name: "Job", kind: "text" },
  });
  const { version } = await settings();
  await as(admin)(provisioning.update, { params, body: { mapping: { title: field.id }, version } });
  expect((await settings()).mapping).toEqual({ title: field.id });
  const archived = await as(admin)(fields.archive, { params: { id: field.id } });
  expect(archived.status, JSON.stringify(archived.body)).toBe(200);
  const after = await settings();
  expect(after.mapping).toEqual({});
  const saved = await as(admin)(provisioning.update, {
    params,
    body: { mapping: after.mapping, invites: true, version: after.version },
  });
  expect(saved.status).toBe(200);
  await create({ userName: "pilot", title: "Pilot" });
  expect((await find('title eq "pilot"')).totalResults).toBe(1);
});

test("the members of all operations of a request are counted together", async () => {
  const { call, done } = await crew(1);
  const group = await done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName: "Crew" });
  const some = Array.from({ length: 7000 }, () => ({ value: crypto.randomUUID() }));
  const operations = (["add", "remove", "replace"] as const).map((op) => ({ op, path: "members", value: some }));
  expect((await call("PATCH", `/Groups/${group.id}`, patchOf(...operations))).status).toBe(413);
  expect((await done<ScimList>("GET", "/Groups")).Resources[0]).not.toHaveProperty("members");
});
