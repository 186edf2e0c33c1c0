import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { imports, isWorking } from "#shared/imports/imports.ts";
import { createClient, multipart } from "#test/client.ts";
import { isLong, scaled } from "#test/long.ts";
import { openClass } from "#test/openClass.ts";
import { peopleFile, toCsv } from "#test/peopleFile.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A server that is killed while it imports people: the next one continues, and nothing happens twice.

const COUNT = scaled(2000, 10_000);
const KILLS = scaled(1, 3);
/** People with two past completions each. */
const PEOPLE = scaled(300, 3000);
const server = await createProcess();
afterAll(() => server.remove());

type Client = ReturnType<typeof createClient>;

async function upload(token: string, name: string, content: string) {
  const sent = multipart({ metadata: { purpose: "import" } }, Buffer.from(content));
  const path = `imports/kill/${name}`;
  await fetch(`${server.url}${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...sent.headers },
    body: sent.body as never,
  });
  return { path, name };
}

/** An import, and the end of its work. */
function watch(client: Client, id: string) {
  const get = () => client.call(imports.get, { params: { id } });
  return {
    get,
    async ended() {
      await expect.poll(async () => isWorking((await get()).state), { timeout: 400_000, interval: 250 }).toBe(false);
      return get();
    },
    /** Kills the server once it has done a part of `work`. */
    async killDuring(work: "applying" | "undoing") {
      const { done: from } = await get();
      while ((await get()).done === from) await sleep(20);
      await server.kill();
      await server.start();
      const { state, done, total } = await get();
      expect([state, done > 0, done < total]).toEqual([work, true, true]);
    },
  };
}
const count = async (sql: string) => (await server.query<{ count: number }>(`select count(*)::int ${sql}`))[0]?.count;

test("an import that is killed in the middle is continued, nothing twice", { timeout: 900_000 }, async () => {
  await server.start();
  const client = createClient(server.url);
  const { token } = await client.call(auth.signIn, { body: ADMIN });
  client.useToken(token);
  const company = await client.call(companies.create, { body: { name: "Norrvik Energi" } });
  const { rows, planted } = peopleFile(COUNT, 137);
  const body = { companyId: company.id, ...(await upload(token, "people.csv", toCsv(rows))) };
  const { id } = await client.call(imports.create, { body });
  const { ended, killDuring } = watch(client, id);
  expect((await ended()).counts).toMatchObject({ create: COUNT - planted.size, rejected: planted.size });
  await client.call(imports.apply, { params: { id }, body: { invites: true } });
  for (let kills = 0; kills < KILLS; kills++) await killDuring("applying");
  expect((await ended()).counts).toMatchObject({ applied: COUNT - planted.size });
  const expected = COUNT - planted.size;
  expect(await count("from users where company_id is not null")).toBe(expected);
  expect(await count("from personnel_numbers")).toBe(expected);
  expect(await count("from mails where reason = 'learners.invitation'")).toBe(expected);
  expect(await count("from audit_entries where action = 'imports.createPerson'")).toBe(expected);
  expect(await count("from membership_history where change = 'created' and company_id is not null")).toBe(expected);
});

test("so is an import of past completions, and its undoing", { timeout: 900_000 }, async () => {
  await openClass(server.url, 1);
  const client = createClient(server.url);
  const { token } = await client.call(auth.signIn, { body: ADMIN });
  client.useToken(token);
  const [course] = (await client.call(courses.list)).items;
  const people = await server.query<{ email: string; companyId: string }>(
    `select email, company_id as "companyId" from users
    where id in (select user_id from personnel_numbers) and email is not null order by email limit ${PEOPLE}`,
  );
  const companyId = people[0]?.companyId as string;
  const rows = people.flatMap(({ email }) => [2022, 2024].map((year) => `${email},${course?.code},${year}-05-01`));
  const file = await upload(token, "history.csv", ["Email,Course,Completed on", ...rows].join("\n"));
  const tables = ["enrolments", "attempts", "external_completions"];
  const rowsOf = () => Promise.all(tables.map((table) => count(`from ${table}`)));
  const before = await rowsOf();
  const { id } = await client.call(imports.create, { body: { companyId, about: "completions", ...file } });
  const { ended, killDuring } = watch(client, id);
  expect((await ended()).counts).toMatchObject({ create: rows.length, rejected: 0 });
  await client.call(imports.apply, { params: { id }, body: { invites: false } });
  await killDuring("applying");
  expect((await ended()).counts).toMatchObject({ applied: rows.length });
  expect(await count("from external_completions")).toBe(rows.length);
  expect(await count("from enrolments where completed_at::date = '2024-05-01'")).toBe(people.length);
  expect(await count("from completion_history where rule_text = 'Completed elsewhere'")).toBe(people.length);
  await client.call(imports.undo, { params: { id } });
  if (isLong) await killDuring("undoing");
  expect(await ended()).toMatchObject({ state: "undone", stayed: 0 });
  expect(await rowsOf()).toEqual(before);
});
