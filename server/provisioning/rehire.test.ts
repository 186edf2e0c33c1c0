import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, type ScimUser, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { privacy } from "#shared/privacy/privacy.ts";

// A person who has left and comes back: the same one with their history, or a clear refusal

const server = await start();
const { as, db } = server;
const { company } = createDirectories(server);
const unique = () => `p-${crypto.randomUUID()}@example.com`;
const rowOf = (id: string) => db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirstOrThrow();

/** A company of which two may leave a day, and a person who has left. */
async function leaver(said: object) {
  const room = await company();
  for (let at = 0; at < 20; at++) await room.create({ userName: `filler-${at}` });
  await room.age();
  const { id } = await room.create(said);
  await room.done("DELETE", `/Users/${id}`);
  expect((await rowOf(id)).status).toBe("suspended");
  const hire = async (again: object) => {
    const { status, body } = await room.call("POST", "/Users", { schemas: [USER], ...again });
    return { status, body: body as ScimUser & { scimType?: string; detail?: string } };
  };
  return { ...room, id, hire };
}

test("the same external id is the same person, whatever else has changed", async () => {
  const { id, hire } = await leaver({ userName: "ada", externalId: "hr-1", emails: [{ value: unique() }] });
  const { status, body } = await hire({ userName: "byron", externalId: "hr-1" });
  expect([status, body.id, body.userName, body.active]).toEqual([201, id, "byron", true]);
});

test("the same user name is the same person unless both have an external id", async () => {
  for (const [before, after] of [
    [{}, {}],
    [{ externalId: "hr-1" }, {}],
    [{}, { externalId: "hr-2" }],
  ]) {
    const { id, hire } = await leaver({ userName: "ada", ...before });
    const { status, body } = await hire({ userName: "ADA", ...after });
    expect([status, body.id]).toEqual([201, id]);
  }
});

test("a user name with another external id is another person", async () => {
  const { id, hire } = await leaver({ userName: "ada", externalId: "hr-1" });
  const { status, body } = await hire({ userName: "ada", externalId: "hr-2" });
  expect(status).toBe(201);
  expect(body.id).not.toBe(id);
  expect((await rowOf(id)).status).toBe("suspended");
});

test("the same address is the same person, also with another external id", async () => {
  const email = unique();
  for (const again of [
    { userName: "other", externalId: "hr-2", emails: [{ value: email.toUpperCase() }] },
    { userName: email, externalId: "hr-2" },
  ]) {
    const { id, hire, call } = await leaver({ userName: unique(), externalId: "hr-1", emails: [{ value: email }] });
    const { status, body } = await hire(again);
    expect([status, body.id, body.externalId]).toEqual([201, id, "hr-2"]);
    expect(await rowOf(id)).toMatchObject({ email, status: "invited" });
    expect((await hire(again)).status).toBe(409);
    await db.updateTable("users").set({ email: unique() }).where("id", "=", id).execute();
    expect((await call("GET", `/Users/${id}`)).status).toBe(200);
  }
});

test("an address or number that another person has now is refused as taken", async () => {
  const [email, number] = [unique(), "4711"];
  const { id, hire, create } = await leaver({
    userName: "ada",
    externalId: "hr-1",
    emails: [{ value: email }],
    [ENTERPRISE]: { employeeNumber: number },
  });
  const other = await create({ userName: "other", emails: [{ value: unique() }] });
  await db.deleteFrom("personnelNumbers").where("userId", "=", id).execute();
  await db
    .insertInto("personnelNumbers")
    .values({ userId: other.id, companyId: String((await rowOf(id)).companyId), number })
    .execute();
  const taken = await hire({ userName: "ada", externalId: "hr-1", [ENTERPRISE]: { employeeNumber: number } });
  expect([taken.status, taken.body.scimType, taken.body.detail]).toEqual([
    409,
    "uniqueness",
    "“employeeNumber” is taken.",
  ]);
  const named = await hire({ userName: "OTHER", externalId: "hr-1" });
  expect([named.status, named.body.scimType, named.body.detail]).toEqual([409, "uniqueness", "“userName” is taken."]);
  expect((await rowOf(id)).status).toBe("suspended");
});

test("a person who has moved to another company is not brought back", async () => {
  const email = unique();
  const { id, hire } = await leaver({ userName: "ada", externalId: "hr-1", emails: [{ value: email }] });
  const there = await company();
  await db.updateTable("users").set({ companyId: there.company.id }).where("id", "=", id).execute();
  const refused = await hire({ userName: "ada", externalId: "hr-1", emails: [{ value: email }] });
  expect([refused.status, refused.body.scimType]).toEqual([409, "uniqueness"]);
  const fresh = await hire({ userName: "ada", externalId: "hr-1" });
  expect(fresh.status).toBe(201);
  expect(fresh.body.id).not.toBe(id);
});

test("a person who was erased is created as a new one, without what was known", async () => {
  const email = unique();
  const said = { userName: "ada", externalId: "hr-1", displayName: "Ada", emails: [{ value: email }], title: "Pilot" };
  const { id, admin, hire, call } = await leaver(said);
  const erased = await as(admin)(privacy.erase, { body: { userId: id } });
  expect(erased.status, JSON.stringify(erased.body)).toBe(200);
  const { status, body } = await hire({ userName: "ada", externalId: "hr-1", emails: [{ value: email }] });
  expect([status, body.displayName, body.title]).toEqual([201, "ada", undefined]);
  expect(body.id).not.toBe(id);
  expect((await call("GET", `/Users/${id}`)).status).toBe(404);
  expect(await rowOf(body.id)).toMatchObject({ email, status: "invited" });
});
