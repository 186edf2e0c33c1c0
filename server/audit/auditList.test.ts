import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

const { as, db, make } = await start();

test("counts entries up to ten thousand, and says that there are more", async () => {
  const admin = await make.admin();
  const { id } = await make.company(admin);
  const add = (count: number) =>
    sql`
      insert into audit_entries (action, actor_id, actor_role, company_id, details)
      select 'companies.update', ${admin.user.id}, 'admin', ${id}, '{}'
      from generate_series(1, ${count}::int)`.execute(db);
  const read = async (query: object = {}) =>
    bodyOf(await as(admin)(audit.list, { query: { companyId: id, ...query } }));
  const { total } = await read();
  await add(10_000 - total);
  expect(await read()).toMatchObject({ total: 10_000, isMore: false });
  await add(1);
  expect(await read()).toMatchObject({ total: 10_000, isMore: true });
  // Files contain the entries that are not counted, too.
  expect((await read({ page: 401, size: 25 })).items).toHaveLength(1);
});
