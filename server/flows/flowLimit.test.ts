import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { MAX_FLOWS } from "#shared/flows/flows.ts";
import { createFlowMaker } from "#test/flows.ts";
import { start } from "#test/start.ts";

const server = await start();
const { db } = server;
const { createGroup, define, connect } = createFlowMaker(server);

test("an academy can have exactly 500 flows", async () => {
  const { admin } = await createGroup(1);
  const [a, b, c] = [
    await define(admin, { key: "limit_a" }),
    await define(admin, { key: "limit_b" }),
    await define(admin, { key: "limit_c" }),
  ];
  const { count } = await db
    .selectFrom("flows")
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const paused = { sourceVariableId: a.id, isActive: false, transform: JSON.stringify({ kind: "copy" }) };
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const rows = Array.from({ length: MAX_FLOWS - 1 - count }, () => ({ ...paused, targetVariableId: randomUUID() }));
    await tx
      .insertInto("flows")
      .values(rows as never)
      .execute();
  });
  expect((await connect(admin, a.id, b.id)).status).toBe(200);
  expect((await connect(admin, a.id, c.id)).code).toBe("flows.tooMany");
});
