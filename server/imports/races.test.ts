import { afterAll, expect, test } from "vitest";
import { createHistoryImporter } from "#test/pastCompletions.ts";
import { createImporter } from "#test/importClient.ts";
import { personOf, toCsv } from "#test/peopleFile.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
import { imports } from "#shared/imports/imports.ts";

// Changes that are committed while a batch of an import already works on the same person

const server = await start();
const { as, make, services } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const importer = createImporter(server, admin);

/** Runs `order` while a change of one person is not committed yet, and commits it when the import waits for it. */
async function whileChanging(change: string, values: unknown[], order: () => Promise<unknown>) {
  const client = await services.pool.connect();
  try {
    await client.query("begin");
    await client.query(change, values);
    await order();
    const isWaited = async () => {
      const { rows } = await services.pool.query<{ waits: boolean }>(
        "select exists (select from pg_locks where not granted) as waits",
      );
      return rows[0]?.waits;
    };
    await expect.poll(isWaited, { timeout: 20_000, interval: 20 }).toBe(true);
    await client.query("commit");
  } finally {
    client.release();
  }
}
const find = async (email: string) =>
  (
    await services.pool.query<{ id: string; name: string; company: string }>(
      "select id, name, company_id as company from users where email = $1",
      [email],
    )
  ).rows[0];

test("who moves to another company during an import is left alone, and named", async () => {
  const [company, other] = [await make.company(admin), await make.company(admin)];
  const person = personOf(1, "moving.example");
  await importer.apply((await importer.upload(company.id, toCsv([person]))).id);
  const { id } = (await find("person1@moving.example")) as { id: string };
  const file = await importer.upload(company.id, toCsv([person.with(2, "New Name")]));
  expect(file.counts.update).toBe(1);
  await whileChanging("update users set company_id = $2 where id = $1", [id, other.id], () =>
    importer.order(file.id, { invites: false }),
  );
  expect(await importer.waitFor(file.id)).toMatchObject({ state: "applied", counts: { update: 0, rejected: 1 } });
  expect(await find("person1@moving.example")).toMatchObject({ name: person[2], company: other.id });
  expect((await importer.listRows(file.id))[0]?.reasons).toEqual([{ field: null, code: "leftMeanwhile" }]);
});

test("who moves to another company during an import of completions is rejected", async () => {
  const { upload, school, enrolmentOf, importer: history } = createHistoryImporter(server, admin);
  const { company, course, ada, bo } = await school();
  const rows = [ada, bo].map(({ user }) => `${user.email};;${course.title};2024-05-01;;`);
  const file = await upload(company.id, rows);
  const other = await make.company(admin);
  await whileChanging("update users set company_id = $2 where id = $1", [ada.user.id, other.id], () =>
    history.order(file.id, { invites: false }),
  );
  expect(await history.waitFor(file.id)).toMatchObject({ state: "applied", counts: { applied: 1, rejected: 1 } });
  expect((await history.listRows(file.id, "rejected"))[0]?.reasons).toEqual([{ field: "email", code: "otherCompany" }]);
  expect([await enrolmentOf(ada, course.id), (await enrolmentOf(bo, course.id))?.status]).toEqual([
    undefined,
    "completed",
  ]);
});

test("who accepts an invitation while the import is undone stays, and is named", async () => {
  const company = await make.company(admin);
  const file = await importer.upload(company.id, toCsv([personOf(1, "accepting.example")]));
  await importer.apply(file.id);
  const { id } = (await find("person1@accepting.example")) as { id: string };
  await whileChanging("update users set status = 'active' where id = $1", [id], () =>
    as(admin)(imports.undo, { params: { id: file.id } }),
  );
  expect(await importer.waitFor(file.id)).toMatchObject({ state: "undone", stayed: 1 });
  expect(await find("person1@accepting.example")).toMatchObject({ id });
  const { items } = bodyOf(await as(admin)(imports.stayed, { params: { id: file.id } }));
  expect(items).toMatchObject([{ id, why: "acted" }]);
});

test("who is renamed while the import is undone keeps the new name", async () => {
  const company = await make.company(admin);
  const person = personOf(1, "renamed.example");
  await importer.apply((await importer.upload(company.id, toCsv([person]))).id);
  const file = await importer.upload(company.id, toCsv([person.with(2, "Imported Name")]));
  await importer.apply(file.id);
  const { id } = (await find("person1@renamed.example")) as { id: string };
  await whileChanging("update users set name = 'Own Name' where id = $1", [id], () =>
    as(admin)(imports.undo, { params: { id: file.id } }),
  );
  expect(await importer.waitFor(file.id)).toMatchObject({ state: "undone", stayed: 1 });
  expect(await find("person1@renamed.example")).toMatchObject({ name: "Own Name" });
});
