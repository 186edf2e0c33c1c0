import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDirectories, patchOf, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { admins } from "#shared/auth/admins.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

// How long a key of a directory works, and what the audit log says about what it did

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, db, make } = server;
const { company, caller, createKey } = createDirectories(server);

test("a key opens nothing from the moment that it expires", async () => {
  const { admin, company: of } = await company();
  const params = { id: of.id };
  const { body: made } = await as(admin)(provisioning.createKey, {
    params,
    body: { name: "For a day", expiresInDays: 1 },
  });
  const use = caller(made.key);
  const statusOf = async () =>
    (await as(admin)(provisioning.get, { params })).body.keys.find(({ id }) => id === made.id)?.status;
  const expire = (by: string) =>
    sql`
      update provisioning_keys
      set expires_at = now() + ${by}::interval
      where id = ${made.id}`.execute(db);
  expect(Date.parse(String(made.expiresAt)) - Date.now()).toBeGreaterThan(86_000_000);
  await expire("30 seconds");
  expect([(await use("GET", "/Users")).status, await statusOf()]).toEqual([200, "active"]);
  await expire("-1 millisecond");
  for (const [method, path, body] of [
    ["GET", "/Users", undefined],
    ["GET", "/Schemas", undefined],
    ["POST", "/Users", { userName: "late" }],
  ] as const) {
    const reply = await use(method, path, body);
    expect([method, path, reply.status, reply.body]).toMatchObject([method, path, 401, { status: "401" }]);
  }
  expect(await statusOf()).toBe("expired");
});

test("a key works on when the admin who created it has left, and when they are erased", async () => {
  const { admin, company: of } = await company();
  const leaving = await make.admin();
  const { key, id } = await createKey(leaving, of.id, "Okta");
  const use = caller(key);
  const authorOf = async () =>
    (await as(admin)(provisioning.get, { params: { id: of.id } })).body.keys.find((one) => one.id === id)?.createdBy;
  expect(await authorOf()).toBe("Ada Admin");
  expect((await as(admin)(admins.remove, { params: { id: leaving.user.id } })).status).toBe(204);
  expect((await as(leaving)(provisioning.get, { params: { id: of.id } })).status).toBe(401);
  expect((await use("GET", "/Users")).status).toBe(200);
  const erased = await as(admin)(privacy.erase, { body: { userId: leaving.user.id } });
  expect(erased.status, JSON.stringify(erased.body)).toBe(200);
  expect(await authorOf()).toBeNull();
  expect((await use("GET", "/Users")).status).toBe(200);
});

test("what a directory and the admins do about it is in the audit log, each once", async () => {
  const { admin, company: of, create, done, call, patch, key, age } = await company();
  const params = { id: of.id };
  const fillers = [];
  for (let at = 0; at < 9; at++) fillers.push((await create({ userName: `filler-${at}` })).id);
  const { id } = await create({ userName: "ada", externalId: "hr-1" });
  await age();
  const from = (
    await db
      .selectFrom("auditEntries")
      .select(sql<string>`max(at)::text`.as("at"))
      .executeTakeFirst()
  )?.at;
  await patch(id, { op: "add", path: "title", value: "Pilot" });
  await patch(id, { op: "add", path: "title", value: "Pilot" });
  await patch(id, { op: "replace", path: "active", value: false });
  await patch(id, { op: "replace", path: "active", value: true });
  await done("DELETE", `/Users/${id}`);
  await done("POST", "/Users", {
    schemas: [USER],
    userName: "ada",
    externalId: "hr-1",
    title: "Pilot",
  });
  const off = patchOf({ op: "replace", path: "active", value: false });
  expect((await call("PATCH", `/Users/${fillers[0]}`, off)).status).toBe(503);
  await as(admin)(provisioning.decide, { params, body: { decision: "refuse", count: 1 } });
  expect((await call("DELETE", `/Users/${fillers[1]}`)).status).toBe(503);
  await as(admin)(provisioning.decide, { params, body: { decision: "suspend", count: 1 } });
  const { version } = (await as(admin)(provisioning.get, { params })).body;
  await as(admin)(provisioning.update, { params, body: { invites: true, version } });
  const second = await createKey(admin, of.id, "Second");
  await as(admin)(provisioning.revokeKey, { params: { id: second.id } });

  const entries = await db
    .selectFrom("auditEntries")
    .where("companyId", "=", of.id)
    .where(sql<boolean>`action like 'provisioning.%' and at > ${from}::timestamptz`)
    .orderBy("at")
    .select(["action", "actorId", "actorRole", "personId", "details"])
    .execute();
  const byKey = (action: string, details: object = {}) => ({
    action: `provisioning.${action}`,
    actorId: null,
    actorRole: "directory",
    personId: id,
    details: { ...details, directory: "Entra ID", apiKey: key.prefix },
  });
  const byAdmin = (action: string, personId: string | null, details: object = {}) => ({
    action: `provisioning.${action}`,
    actorId: admin.user.id,
    actorRole: "admin",
    personId,
    details,
  });
  expect(entries).toEqual([
    byKey("update", { fields: ["attributes"] }),
    byKey("suspend"),
    byKey("reactivate"),
    byKey("suspend"),
    byKey("remove"),
    byKey("reactivate"),
    byKey("return"),
    byAdmin("refuse", String(fillers[0])),
    byAdmin("suspend", String(fillers[1])),
    byAdmin("remove", String(fillers[1])),
    byAdmin("settings", null, { fields: ["invites"] }),
    byAdmin("createKey", null, { apiKey: second.prefix }),
    byAdmin("revokeKey", null, { apiKey: second.prefix }),
  ]);
});
