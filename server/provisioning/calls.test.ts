import { sql } from "kysely";
import { expect, test } from "vitest";
import { forgetProvisioning } from "#server/provisioning/jobs.ts";
import { createDirectories, GROUP, patchOf, type ScimUser } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

const server = await start();
const { as, db, services } = server;
const { company } = createDirectories(server);

test("a call is listed with its key, whom it was about and its result, without values", async () => {
  const { admin, company: of, call, create } = await company();
  const { id } = await create({ userName: "ada", displayName: "Ada" });
  await call("PATCH", `/Users/${id}`, patchOf({ op: "add", path: "emails", value: [{ value: "no address" }] }));
  const list = (query: object) => as(admin)(provisioning.calls, { params: { id: of.id }, query });
  const { body } = await list({});
  const about = { key: "Entra ID", resource: "Users", personId: id, person: "Ada", groupId: null };
  expect(body.items).toMatchObject([
    { method: "PATCH", status: 400, result: "The address in “emails” is not valid.", ...about },
    { method: "POST", status: 201, result: "created", ...about },
  ]);
  expect((await list({ result: "refused" })).body.total).toBe(1);
});

test.each([
  ["GET", "/Nothing", "unknown"],
  ["GET", "", "unknown"],
  ["POST", "/.search", "search"],
  ["DELETE", "/Groups", "Groups"],
] as const)("%s %s is recorded as a call of %s", async (method, path, resource) => {
  const { admin, company: of, call } = await company();
  await call(method, path, method === "POST" ? {} : undefined);
  const { body } = await as(admin)(provisioning.calls, { params: { id: of.id }, query: {} });
  expect(body.items).toMatchObject([{ method, resource }]);
});

test("a filter without an operator is refused without a word of it", async () => {
  const { admin, company: of, call } = await company();
  const filter = "userName ada.secret@example.com";
  const { body: refused } = await call("GET", `/Users?${new URLSearchParams({ filter })}`);
  const { body } = await as(admin)(provisioning.calls, { params: { id: of.id }, query: {} });
  const detail = "A comparison needs an operator: eq, ne, co, sw, ew, gt, ge, lt, le or pr.";
  expect(refused).toMatchObject({ scimType: "invalidFilter", detail });
  expect(body.items).toMatchObject([{ status: 400, result: detail }]);
});

test("a call says nothing about a person or group that is another company's now", async () => {
  const [of, other] = [await company(), await company()];
  const { id } = await of.create({ userName: "ada", displayName: "Ada" });
  const schemas = [GROUP];
  const group = await of.done<ScimUser>("POST", "/Groups", { schemas, displayName: "Crew" });
  await db.updateTable("users").set({ companyId: other.company.id }).where("id", "=", id).execute();
  await db.updateTable("groups").set({ companyId: other.company.id }).where("id", "=", group.id).execute();
  const { body } = await as(of.admin)(provisioning.calls, { params: { id: of.company.id }, query: {} });
  expect(body.items).toMatchObject([
    { resource: "Groups", group: null, groupId: null },
    { resource: "Users", person: null, personId: null },
  ]);
});

test("the last 5,000 calls of a company are kept, for 30 days, and refusals for one", async () => {
  const [busy, quiet] = [await company(), await company()];
  const add = (companyId: string, count: number, at: string) =>
    sql`
      insert into provisioning_calls (company_id, at, method, resource, status, result)
      select ${companyId}, now() - ${at}::interval, 'GET', 'Users', 200, 'listed'
      from generate_series(1, ${count})`.execute(db);
  await add(busy.company.id, 11_003, "1 hour");
  await add(quiet.company.id, 6000, "31 days");
  await add(quiet.company.id, 2, "29 days");
  const hold = (userId: string, companyId: string, hours: number) =>
    db
      .insertInto("provisioningHolds")
      .values({ userId, companyId, kind: "suspend", refusedAt: new Date(Date.now() - hours * 3_600_000).toISOString() })
      .execute();
  await hold(busy.learner.user.id, busy.company.id, 25);
  await hold(quiet.learner.user.id, quiet.company.id, 23);
  await forgetProvisioning.run(services, {});
  const totals = await Promise.all(
    [busy, quiet].map(
      async ({ admin, company: of }) =>
        (await as(admin)(provisioning.calls, { params: { id: of.id }, query: {} })).body.total,
    ),
  );
  expect(totals).toEqual([5000, 2]);
  expect(await db.selectFrom("provisioningHolds").select("userId").execute()).toEqual([
    { userId: quiet.learner.user.id },
  ]);
});
