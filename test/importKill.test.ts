import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { imports, isWorking } from "#shared/imports/imports.ts";
import { createClient, multipart } from "#test/client.ts";
import { scaled } from "#test/long.ts";
import { peopleFile, toCsv } from "#test/peopleFile.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A server that is killed while it imports people: the next one continues, and nothing happens twice.

const COUNT = scaled(2000, 10_000);
const KILLS = scaled(1, 3);
const server = await createProcess();
afterAll(() => server.remove());

test("an import that is killed in the middle is continued, nothing twice", { timeout: 900_000 }, async () => {
  await server.start();
  const client = createClient(server.url);
  const { token } = await client.call(auth.signIn, { body: ADMIN });
  client.useToken(token);
  const company = await client.call(companies.create, { body: { name: "Norrvik Energi" } });
  const { rows, planted } = peopleFile(COUNT, 137);
  const sent = multipart({ metadata: { purpose: "import" } }, Buffer.from(toCsv(rows)));
  const path = "imports/kill/people.csv";
  await fetch(`${server.url}${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...sent.headers },
    body: sent.body as never,
  });
  const body = { companyId: company.id, path, name: "people.csv" };
  const { id } = await client.call(imports.create, { body });
  const get = () => client.call(imports.get, { params: { id } });
  const ended = async () => {
    await expect.poll(async () => isWorking((await get()).state), { timeout: 400_000, interval: 250 }).toBe(false);
    return get();
  };
  expect((await ended()).counts).toMatchObject({ create: COUNT - planted.size, rejected: planted.size });
  await client.call(imports.apply, { params: { id }, body: { invites: true } });
  for (let kills = 0; kills < KILLS; kills++) {
    const { done: from } = await get();
    while ((await get()).done === from) await sleep(20);
    await server.kill();
    await server.start();
    const { state, done, total } = await get();
    expect([state, done > 0, done < total]).toEqual(["applying", true, true]);
  }
  expect((await ended()).counts).toMatchObject({ applied: COUNT - planted.size });
  const count = async (sql: string) => (await server.query<{ count: number }>(`select count(*)::int ${sql}`))[0]?.count;
  const expected = COUNT - planted.size;
  expect(await count("from users where company_id is not null")).toBe(expected);
  expect(await count("from personnel_numbers")).toBe(expected);
  expect(await count("from mails where reason = 'learners.invitation'")).toBe(expected);
  expect(await count("from audit_entries where action = 'imports.createPerson'")).toBe(expected);
  expect(await count("from membership_history where change = 'created' and company_id is not null")).toBe(expected);
});
