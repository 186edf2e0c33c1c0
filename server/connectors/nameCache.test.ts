import { expect, test, vi } from "vitest";
import { readNames } from "#server/connectors/nameCache.ts";
import { indexNames } from "#server/connectors/nameIndex.ts";
import { startTalks } from "#test/talks.ts";
import { accounts } from "#shared/account.ts";

const { server, createBot, talk, admin, provider, connector, ask } = await startTalks();
const { as, make, services } = server;
const other = await server.startAnother();
const company = await make.company(admin, { maskNames: true });
const learner = await make.learner(company.accessCode, "Lea Berg");
const bot = await createBot(admin, { connectorId: connector.id, limits: { perAddress: 1000, perPerson: 1000 } });
await vi.waitFor(() => {
  for (const node of [services, other.services]) expect(node.accessChanges.isCurrent()).toBe(true);
}, 10_000);
const said = async (text: string) => {
  await ask(await talk(learner, bot), text);
  return provider.chats().at(-1)?.asked?.text ?? "";
};
const read = (node = services) => readNames(node, [company.id]);

test("whoever is new is masked at once, and whoever is renamed under both names on every node", async () => {
  expect(await said("Ask Zoë Quint and Ada Flint.")).toContain("Ask Zoë Quint and Ada Flint.");
  const nodes = [services, other.services];
  await Promise.all(nodes.map(read));
  const zoe = await make.learner(company.accessCode, "Zoë Quint");
  expect(await said("Ask Zoë Quint and Ada Flint.")).toMatch(/Ask Person\w{6} and Ada Flint\./);
  await as(zoe)(accounts.update, { body: { name: "Ada Flint" } });
  expect(await said("Ask Zoë Quint and Ada Flint.")).toMatch(/Ask Zoë Quint and Person\w{6}\./);
  for (const node of nodes) expect((await read(node))[0]?.whole.has("ada")).toBe(true);
});

test("names are indexed once, until one of the company changes", async () => {
  const [first] = await read();
  expect((await read())[0]).toBe(first);
  // Other changes, of the same people and of others, do not count.
  await make.learner((await make.company(admin)).accessCode, "Mia Elsewhere");
  const now = new Date().toISOString();
  await services.db.updateTable("users").set({ invitedAt: now }).where("id", "=", learner.user.id).execute();
  expect((await read())[0]).toBe(first);
  await as(learner)(accounts.update, { body: { name: "Lea Stein" } });
  expect((await read())[0]).not.toBe(first);
});

test("an index of 20,000 names takes no longer for the same first name", async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `Anna Name${at} Berg`);
  const started = performance.now();
  expect(indexNames(names).whole.get("anna")).toHaveLength(20_000);
  expect(performance.now() - started).toBeLessThan(2000);
});
