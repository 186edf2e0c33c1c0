import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { createNameCache, readNames } from "#server/connectors/nameCache.ts";
import type { Names } from "#server/connectors/nameIndex.ts";
import { NamingClient } from "#server/core/database/statements.ts";
import { createLog } from "#server/core/log.ts";
import { startTalks } from "#test/talks.ts";
import { accounts } from "#shared/auth/account.ts";

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

test("new people are masked at once, renamed ones under both names, on every node", async () => {
  expect(await said("Ask Zoë Quint and Ada Flint.")).toContain("Ask Zoë Quint and Ada Flint.");
  const nodes = [services, other.services];
  await Promise.all(nodes.map(read));
  const zoe = await make.learner(company.accessCode, "Zoë Quint");
  expect(await said("Ask Zoë Quint and Ada Flint.")).toMatch(/Ask Person\w{6} and Ada Flint\./);
  await as(zoe)(accounts.update, { body: { name: "Ada Flint" } });
  expect(await said("Ask Zoë Quint and Ada Flint.")).toMatch(/Ask Zoë Quint and Person\w{6}\./);
  for (const node of nodes) expect((await read(node)).parts.has("flint")).toBe(true);
});

/**
 * Repeats a test of the cache until it is in use: it is not after three seconds without a heartbeat, as on a busy
 * machine.
 */
const untilHeard = async (work: () => Promise<void>) => {
  await vi.waitFor(work, { timeout: 25_000, interval: 100 });
};
/** Counts the queries for the people of companies while `work` runs. */
async function readsIn(work: () => Promise<unknown>) {
  const querySpy = vi.spyOn(NamingClient.prototype, "query");
  await work();
  const reads = querySpy.mock.calls.filter(([query]) => {
    const text = typeof query === "object" ? (query as { text: string }).text : String(query);
    return /from "users" where "company_id" in/.test(text);
  });
  querySpy.mockRestore();
  return reads.length;
}
const addPeople = (companyId: string, people: string[]) =>
  services.db
    .insertInto("users")
    .values(people.map((name) => ({ name, email: `${randomUUID()}@example.com`, status: "active", companyId })))
    .execute();

test("names are indexed once, and a changed name replaces the old one in the index", async () => {
  await untilHeard(async () => {
    await as(learner)(accounts.update, { body: { name: "Lea Berg" } });
    const first = await read();
    expect(first.parts.has("berg")).toBe(true);
    // Other changes, of the same people or of others, cause no query.
    await make.learner((await make.company(admin)).accessCode, "Mia Elsewhere");
    const now = new Date().toISOString();
    await services.db.updateTable("users").set({ invitedAt: now }).where("id", "=", learner.user.id).execute();
    expect(await read()).toBe(first);
    await as(learner)(accounts.update, { body: { name: "Lea Stein" } });
    const gone = await make.learner(company.accessCode, "Gus Gone");
    expect((await read()).parts.has("gone")).toBe(true);
    await services.db.deleteFrom("users").where("id", "=", gone.user.id).execute();
    expect(await read()).toBe(first);
    expect(["berg", "stein", "gone"].map((part) => first.parts.has(part))).toEqual([false, true, false]);
  });
});

test("who asks while names are read waits for them, and knows of changes since", async () => {
  const ids = [company.id, (await make.company(admin, { maskNames: true })).id];
  await untilHeard(async () => {
    const readAll = createNameCache(services.accessChanges);
    const nameLists: Names[] = [];
    const reads = await readsIn(async () => {
      const asked = [ids, ids.toReversed(), ids, [company.id]].map((one) => readAll(services, one));
      nameLists.push(...(await Promise.all(asked)));
    });
    expect(reads).toBe(2);
    expect(new Set(nameLists).size).toBe(2);
    const name = `New${randomUUID().replaceAll("-", "")}`;
    const empty = createNameCache(services.accessChanges);
    const before = empty(services, ids);
    await addPeople(ids[1] as string, [`Ina ${name}`]);
    expect((await empty(services, ids)).parts.has(name.toLowerCase())).toBe(true);
    await before;
  });
});

test("many new people of a company are read again, and those of others are not", async () => {
  const crowded = await make.company(admin, { maskNames: true });
  await untilHeard(async () => {
    const first = await read();
    await readNames(services, [crowded.id]);
    const names = Array.from({ length: 150 }, () => `New${randomUUID().replaceAll("-", "")}`);
    await addPeople(crowded.id, names);
    const { parts } = await readNames(services, [crowded.id]);
    expect(names.filter((name) => !parts.has(name.toLowerCase()))).toEqual([]);
    expect(await read()).toBe(first);
  });
});

test("companies with more names than the limit are cached, with one log entry", async () => {
  const sizes = [20, 20];
  const large = await Promise.all(sizes.map(() => make.company(admin, { maskNames: true })));
  for (const [at, { id }] of large.entries())
    await addPeople(
      id,
      Array.from({ length: sizes[at] as number }, (_, n) => `Name${n} Large`),
    );
  await untilHeard(async () => {
    const lines: string[] = [];
    const ctx = { ...services, log: createLog("warn", { write: (line) => lines.push(line) }) };
    const readLarge = createNameCache(services.accessChanges, { maxNames: 10 });
    const reads = await readsIn(async () => {
      for (let round = 0; round < 3; round++) for (const { id } of large) await readLarge(ctx, [id]);
    });
    expect(reads).toBe(2);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("more names to mask than this node should remember");
  });
});
