import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDirectories, patchOf, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { app, as, db } = server;
const { company } = createDirectories(server);
const off = patchOf({ op: "replace", path: "active", value: false });

/** A company with 30 people, of whom the directory may suspend three a day. */
async function crew() {
  const of = await company();
  const people: string[] = [];
  for (let at = 0; at < 29; at++) people.push((await of.create({ userName: `p${at}`, externalId: `e${at}` })).id);
  await of.age();
  const suspend = (at: number) => of.call("PATCH", `/Users/${people[at]}`, off);
  const statusOf = async (at: number) =>
    (await db.selectFrom("users").where("id", "=", String(people[at])).select("status").executeTakeFirstOrThrow())
      .status;
  const params = { id: of.company.id };
  const holds = async () => (await as(of.admin)(provisioning.holds, { params })).body;
  const decide = (decision: "suspend" | "refuse", count: number) =>
    as(of.admin)(provisioning.decide, { params, body: { decision, count } });
  return { ...of, people, suspend, statusOf, holds, decide, params };
}

test("a run that would suspend over 10 % stops, and an admin continues it", async () => {
  const { people, suspend, statusOf, holds, decide, admin, call, params } = await crew();
  for (const at of [0, 1, 2]) expect((await suspend(at)).status).toBe(200);
  const { status, body, headers } = await suspend(3);
  expect([status, headers["retry-after"]]).toEqual([503, "3600"]);
  expect((body as { detail: string }).detail).toContain("waits until an administrator of Lyceum decides");
  expect((await suspend(3)).status).toBe(503);
  expect((await call("DELETE", `/Users/${people[4]}`)).status).toBe(503);
  expect(await Promise.all([2, 3, 4].map(statusOf))).toEqual(["suspended", "invited", "invited"]);
  expect((await holds()).items.map(({ id, kind }) => [id, kind])).toEqual([
    [people[3], "suspend"],
    [people[4], "remove"],
  ]);
  const told = (await as(admin)(notifications.list)).body.items.filter(({ kind }) => kind === "suspensionsHeld");
  expect(told.map(({ link }) => link)).toEqual([`/companies/${params.id}?tab=provisioning`]);
  const mails = await db
    .selectFrom("mails")
    .where("reason", "=", "notifications.suspensionsHeld")
    .select("id")
    .execute();
  expect(mails.length).toBeGreaterThan(0);

  expect((await decide("suspend", 3)).code).toBe("provisioning.countChanged");
  expect((await decide("suspend", 2)).body).toEqual({ changed: 2 });
  expect(await Promise.all([3, 4].map(statusOf))).toEqual(["suspended", "suspended"]);
  const reasons = await db
    .selectFrom("users")
    .where("id", "in", people.slice(2, 4))
    .orderBy("suspendedAt")
    .select("suspendedReason")
    .execute();
  expect(reasons.map(({ suspendedReason }) => suspendedReason)).toEqual([
    "Suspended by the directory “Entra ID”",
    "Suspended by the directory after a decision by an admin",
  ]);
  expect((await call("GET", `/Users/${people[3]}`)).status).toBe(200);
  expect((await call("GET", `/Users/${people[4]}`)).status).toBe(404);
  const suspensions = await db
    .selectFrom("auditEntries")
    .where("action", "=", "provisioning.suspend")
    .where("personId", "in", people)
    .select("personId")
    .execute();
  expect(suspensions.map(({ personId }) => personId).toSorted()).toEqual(people.slice(0, 5).toSorted());
  expect((await suspend(5)).status).toBe(200);
});

test("sessions of held people stay until the decision, and end with it", async () => {
  const { suspend, learner, call, decide } = await crew();
  for (const at of [0, 1, 2]) await suspend(at);
  expect((await call("PATCH", `/Users/${learner.user.id}`, off)).status).toBe(503);
  const mine = () => as(learner)(notifications.list);
  expect((await mine()).status).toBe(200);
  await decide("suspend", 1);
  expect((await mine()).status).toBe(401);
});

test("a refusal stands for a day, and the directory withdraws only what waits", async () => {
  const { people, suspend, statusOf, holds, decide, patch, done, admin, params } = await crew();
  for (const at of [0, 1, 2, 3, 4]) await suspend(at);
  expect((await decide("refuse", 2)).body).toEqual({ changed: 2 });
  expect((await holds()).total).toBe(0);
  const lastCall = async () => (await as(admin)(provisioning.calls, { params, query: {} })).body.items[0];
  expect(await lastCall()).toMatchObject({ status: 503, result: "waiting", personId: people[4] });
  const { status, body } = await suspend(3);
  expect(await lastCall()).toMatchObject({ status: 403, result: "refused", personId: people[3] });
  expect([status, (body as { detail: string }).detail]).toEqual([
    403,
    "An administrator of Lyceum has refused to suspend this person. Nothing was changed.",
  ]);
  expect(await statusOf(3)).toBe("invited");
  await patch(String(people[3]), { op: "replace", path: "title", value: "Pilot" });
  await done("PUT", `/Users/${people[3]}`, { schemas: [USER], userName: "p3", active: true });
  expect((await suspend(3)).status).toBe(403);
  await db
    .updateTable("provisioningHolds")
    .set({ refusedAt: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    .where("companyId", "=", params.id)
    .execute();
  expect((await suspend(3)).status).toBe(503);
  await patch(String(people[3]), { op: "replace", path: "title", value: "Captain" });
  expect((await holds()).total).toBe(1);
  await patch(String(people[3]), { op: "replace", path: "active", value: true });
  expect((await holds()).total).toBe(0);
});

test("suspensions at the same time never exceed the limit", async () => {
  const { suspend, people, holds } = await crew();
  const replies = await Promise.all(people.slice(0, 10).map((_, at) => suspend(at)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(replies.filter(({ status }) => status === 503)).toHaveLength(7);
  expect((await holds()).total).toBe(7);
});

test("an active person who is suspended is out within the request, also their streams", async () => {
  const { call, learner, create } = await company();
  await Promise.all([1, 2].map((at) => create({ userName: `other${at}` })));
  expect((await as(learner)(notifications.list)).status).toBe(200);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const stream = await fetch(`${url}/api/live?age=0`, { headers: { authorization: `Bearer ${learner.token}` } });
  expect(stream.status).toBe(200);
  const ended = (async () => {
    for await (const bytes of stream.body ?? []) void bytes;
  })().then(
    () => true,
    () => true,
  );
  expect((await call("PATCH", `/Users/${learner.user.id}`, off)).status).toBe(200);
  expect((await as(learner)(notifications.list)).status).toBe(401);
  expect(await Promise.race([ended, sleep(10_000, false)])).toBe(true);
});

test("deleting leaves access as it is if the company has chosen so", async () => {
  const { admin, company: of, create, done, call } = await company();
  const params = { id: of.id };
  const { version } = (await as(admin)(provisioning.get, { params })).body;
  await as(admin)(provisioning.update, { params, body: { removal: "leave", version } });
  const people: string[] = [];
  for (let at = 0; at < 5; at++) people.push((await create({ userName: `left${at}` })).id);
  for (const id of people) await done("DELETE", `/Users/${id}`);
  const rows = await db.selectFrom("users").where("id", "in", people).select("status").distinct().execute();
  expect(rows).toEqual([{ status: "invited" }]);
  expect((await call("GET", `/Users/${people[0]}`)).status).toBe(404);
});
