import { expect, test } from "vitest";
import { flows } from "#shared/flows/flows.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { createFlowMaker } from "#test/flows.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, db } = server;
const { createGroup, define, connect, pause } = createFlowMaker(server);

test("an admin of one company sees and changes only flows to webhooks of that company", async () => {
  const { admin: boss, company } = await createGroup(1);
  const { admin, company: other } = await createGroup(1);
  const [one, two, three] = [
    await define(boss, { key: "scope_one" }),
    await define(boss, { key: "scope_two" }),
    await define(boss, { key: "scope_three" }),
  ];
  const toWebhook = async (companyId: string | null) => {
    const url = "https://example.com/";
    const { id } = (await as(boss)(webhooks.create, { body: { name: `scope ${companyId}`, url, companyId } })).body;
    const target = { kind: "webhook" as const, webhookId: id };
    return (await as(boss)(flows.create, { body: { sourceVariableId: one.id, target } })).body;
  };
  const ownFlow = await toWebhook(company.id);
  const hidden = [await toWebhook(other.id), await toWebhook(null), (await connect(boss, one.id, two.id)).body];
  await limitToCompany(db, admin, company.id);
  const list = async (by: Person) =>
    (await as(by)(flows.list, { query: { variableId: one.id } })).body.items.map(({ id }) => id);
  expect(await list(admin)).toEqual([ownFlow.id]);
  expect((await list(boss)).length).toBe(4);
  for (const { id, version } of hidden) {
    const update = { params: { id }, body: { version, isActive: false } };
    expect((await as(admin)(flows.update, update)).status).toBe(404);
    expect((await as(admin)(flows.remove, { params: { id } })).status).toBe(404);
  }
  // A flow between variables passes values of every company.
  expect((await connect(admin, two.id, three.id)).status).toBe(403);
  expect(await list(boss)).toEqual(expect.arrayContaining(hidden.map(({ id }) => id)));
  expect((await pause(admin, ownFlow)).isActive).toBe(false);
  expect((await as(admin)(flows.remove, { params: { id: ownFlow.id } })).status).toBe(204);
  expect(await list(boss)).toHaveLength(3);
});
