import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, patchOf, type ScimUser, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { learners } from "#shared/learners/learners.ts";

// What people and admins set in Lyceum, beside a directory that says something else

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, db, make } = server;
const { company } = createDirectories(server);
type Room = Awaited<ReturnType<typeof company>>;

const fill = async ({ create, age }: Room, count = 20) => {
  for (let at = 0; at < count; at++) await create({ userName: `filler-${at}` });
  await age();
};
const rowOf = (id: string) => db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
const setEmail = async ({ admin }: Room, id: string, email: string) => {
  const { version } = await rowOf(id);
  const reply = await as(admin)(learners.update, { params: { id }, body: { version, email } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};
const off = patchOf({ op: "replace", path: "active", value: false });
const unique = () => `p-${crypto.randomUUID()}@example.com`;

test("an address that an admin has set stays, whatever the directory changes", async () => {
  const room = await company();
  const { create, patch, done } = room;
  const [byHand, third] = [unique(), unique()];
  for (const emails of [undefined, [{ value: unique(), type: "work" }]]) {
    const { id } = await create({ userName: unique(), emails });
    const said = { schemas: [USER], ...(await room.read(id)) };
    await setEmail(room, id, byHand);
    await patch(id, { op: "add", path: "title", value: "Pilot" });
    expect((await rowOf(id)).email).toBe(byHand);
    await done("PUT", `/Users/${id}`, { ...said, title: "Captain" });
    expect(await rowOf(id)).toMatchObject({ email: byHand });
    await patch(id, { op: "replace", path: 'emails[type eq "work"].value', value: third });
    expect((await rowOf(id)).email).toBe(byHand);
    // The address of the directory ends it.
    await setEmail(room, id, third);
    const fourth = unique();
    await patch(id, { op: "replace", path: 'emails[type eq "work"].value', value: fourth });
    expect((await rowOf(id)).email).toBe(fourth);
    await setEmail(room, id, unique());
  }
});

test("a name that an admin has corrected stays until the directory has another one", async () => {
  const room = await company();
  const { id } = await room.create({ userName: "a", displayName: "Ana Lopes" });
  const said = { schemas: [USER], userName: "a", displayName: "Ana Lopes" };
  const { version } = await rowOf(id);
  await as(room.admin)(learners.update, { params: { id }, body: { version, name: "Ana Lópes" } });
  await room.done("PUT", `/Users/${id}`, { ...said, title: "Pilot" });
  expect((await rowOf(id)).name).toBe("Ana Lópes");
  await room.done("PUT", `/Users/${id}`, { ...said, displayName: "Ana Silva" });
  expect((await rowOf(id)).name).toBe("Ana Silva");
});

test("a directory never ends the suspension of an admin", async () => {
  const room = await company();
  await fill(room, 3);
  const { id } = await room.create({ userName: "a", displayName: "Ana" });
  await as(room.admin)(learners.suspend, { body: { ids: [id], reason: "Asked to" } });
  const put = await room.done<ScimUser>("PUT", `/Users/${id}`, {
    schemas: [USER],
    userName: "a",
    active: true,
    title: "P",
  });
  expect(put).toMatchObject({ active: false, title: "P" });
  await room.patch(id, { op: "replace", path: "active", value: true });
  expect(await rowOf(id)).toMatchObject({ status: "suspended", suspendedReason: "Asked to" });
  await as(room.admin)(learners.reactivate, { body: { ids: [id] } });
  expect((await room.patch(id, { op: "replace", path: "active", value: false })).active).toBe(false);
  expect((await room.patch(id, { op: "replace", path: "active", value: true })).active).toBe(true);
});

test("removing or emptying active suspends and reactivates nobody", async () => {
  const room = await company();
  await fill(room, 3);
  const { id } = await room.create({ userName: "a" });
  await room.patch(id, { op: "replace", path: "active", value: false });
  expect((await room.patch(id, { op: "remove", path: "active" })).active).toBe(false);
  expect((await room.patch(id, { op: "replace", path: "active", value: null })).active).toBe(false);
});

test("a person who is their own manager in the directory has none", async () => {
  const { create, patch, done, read } = await company();
  const { id } = await create({ userName: "ceo" });
  const changed = await patch(
    id,
    { op: "add", path: `${ENTERPRISE}:manager`, value: id },
    { op: "add", path: "title", value: "CEO" },
  );
  expect(changed.title).toBe("CEO");
  const put = {
    schemas: [USER, ENTERPRISE],
    userName: "ceo",
    title: "Boss",
    [ENTERPRISE]: { manager: { value: id.toUpperCase() } },
  };
  expect((await done<ScimUser>("PUT", `/Users/${id}`, put)).title).toBe("Boss");
  expect((await read(id))[ENTERPRISE]).toBeUndefined();
  const boss = await create({ userName: "boss" });
  await patch(id, { op: "add", path: `${ENTERPRISE}:manager`, value: boss.id });
  await done("PUT", `/Users/${id}`, put);
  expect((await read(id))[ENTERPRISE]).toBeUndefined();
});

test("nothing of a learner's own keeps the directory from suspending them", async () => {
  const room = await company();
  const { create, call, company: of } = room;
  await fill(room, 80);
  const sign = async (email: string, more: object = {}) => {
    const person = await make.learner(of.accessCode, "Lea", email);
    const { id } = person.user;
    await room.patch(id, { op: "add", value: { title: "Pilot", ...more } });
    return { person, id };
  };
  const moveAway = async (id: string) => {
    // The learner moves to another address, and another learner takes the earlier one.
    const { email } = await rowOf(id);
    await db.updateTable("users").set({ email: unique() }).where("id", "=", id).execute();
    await make.learner(of.accessCode, "Friend", String(email));
    return String(email);
  };
  const isOut = async (id: string, reply: { status: number; body: unknown }) => {
    expect([reply.status, (await rowOf(id)).status], JSON.stringify(reply.body)).toEqual([200, "suspended"]);
  };
  const a = await sign(unique());
  await moveAway(a.id);
  await isOut(a.id, await call("PATCH", `/Users/${a.id}`, off));
  const b = await sign(unique());
  const taken = await moveAway(b.id);
  const whole = { schemas: [USER], userName: taken, emails: [{ value: taken, primary: true }], active: false };
  await isOut(b.id, await call("PUT", `/Users/${b.id}`, whole));
  const c = await sign(unique(), { emails: [{ value: unique(), type: "work" }] });
  const address = await moveAway(c.id);
  const change = patchOf(
    { op: "replace", path: `emails[type eq "work" and value co "${address}"].display`, value: "Left" },
    { op: "replace", path: "active", value: false },
  );
  await isOut(c.id, await call("PATCH", `/Users/${c.id}`, change));
  const { id: other } = await create({
    userName: "other",
    externalId: "theirs",
    [ENTERPRISE]: { employeeNumber: "1" },
  });
  const e = await sign(unique());
  const more = { externalId: "theirs", [ENTERPRISE]: { employeeNumber: "1", manager: { value: other } } };
  await isOut(
    e.id,
    await call("PATCH", `/Users/${e.id}`, patchOf({ op: "replace", value: { active: false, ...more } })),
  );
  const f = await sign(unique());
  const unknown = patchOf(
    { op: "replace", path: "urn:ietf:params:scim:schemas:extension:Custom:2.0:User:x", value: "y" },
    { op: "Replace", path: "active", value: "False" },
  );
  await isOut(f.id, await call("PATCH", `/Users/${f.id}`, unknown));
  const manager = "-".repeat(36);
  const h = await sign(unique());
  await isOut(
    h.id,
    await call("PATCH", `/Users/${h.id}`, patchOf({ op: "add", value: { active: false, [ENTERPRISE]: { manager } } })),
  );
  const g = await sign(unique());
  await moveAway(g.id);
  expect((await call("DELETE", `/Users/${g.id}`)).status).toBe(204);
  expect((await rowOf(g.id)).status).toBe("suspended");
});
