import { sql } from "kysely";
import { expect, test } from "vitest";
import { rawData } from "#shared/rawData/rawData.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, db } = server;
const { createGroup, define } = createValueMaker(server);

test("counts values up to ten thousand, and says that there are more", async () => {
  const { admin, company, course, learners } = await createGroup(1);
  const { id } = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  const add = (count: number) =>
    sql`insert into variable_values (variable_id, user_id, company_id, course_id, source, value, happened_at)
      select ${id}, ${learners[0]?.user.id}, ${company.id}, ${course.id}, 'api', to_jsonb(n), now()
      from generate_series(1, ${count}::int) n`.execute(db);
  const read = async () => (await as(admin)(rawData.list, { query: { variableId: id, size: 1 } })).body;
  await add(10_000);
  expect(await read()).toMatchObject({ total: 10_000, isMore: false });
  await add(1);
  expect(await read()).toMatchObject({ total: 10_000, isMore: true, items: [{ value: 1 }] });
});
