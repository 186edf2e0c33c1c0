import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { onPool } from "#server/core/database/pools.ts";
import type { Completion, Domain } from "#server/core/domains/domain.ts";
import { createCommitter } from "#server/player/commit.ts";
import { startCompletionReactions } from "#server/player/completionReactions.ts";
import { openPart, setValue } from "#test/commits.ts";
import { start } from "#test/start.ts";

// What domains do when an attempt is completed: a domain that numbers completions in their transaction, and one that
// lists them afterwards

const { make, db, services } = await start();
await sql`create table numbered (completion_id bigint primary key, note text)`.execute(db);
await sql`create table listed (completion_id bigint primary key, person_id uuid)`.execute(db);
const rowsOf = async (table: string) =>
  (await sql<{ completionId: number }>`select * from ${sql.table(table)} order by completion_id`.execute(db)).rows;

let failure: "none" | "within" | "after" | "lost" = "none";
const numbers: Domain = {
  name: "numbers",
  completions: {
    async within(tx, { id }) {
      await sql`insert into numbered (completion_id, note) values (${id}, 'in the transaction')`.execute(tx);
      if (failure === "within") throw new Error("No numbers left");
      if (failure === "lost") await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    },
  },
};
const handled: number[] = [];
const lists: Domain = {
  name: "lists",
  completions: {
    async after(_services, tx, { id, personId }) {
      await sql`insert into listed (completion_id, person_id) values (${id}, ${personId})`.execute(tx);
      if (failure === "after") throw new Error("Not now");
      handled.push(id);
    },
  },
};
const nodes = [await startNode(), await startNode()] as const;
afterAll(() => Promise.all(nodes.map(({ following }) => following.stop())));

async function startNode() {
  const following = await startCompletionReactions(onPool(services, "jobs"), [numbers, lists]);
  return { following, committer: createCommitter(services, () => {}, following.reactions) };
}

async function complete(node = nodes[0]): Promise<Completion> {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const events = [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")];
  const receipt = await node.committer.commit(session.sessionId, session.token, { events, activeMs: 0, failed: 0 });
  expect(receipt.ackSeq).toBe(3);
  return db
    .selectFrom("completionHistory")
    .where("attemptId", "=", session.attemptId)
    .selectAll()
    .executeTakeFirstOrThrow();
}

test("one domain reacts in the transaction of a completion, another once after it", async () => {
  const completions = await Promise.all(Array.from({ length: 8 }, (_, n) => complete(nodes[n % 2 ? 1 : 0])));
  const ids = completions.map(({ id }) => id).toSorted((a, b) => a - b);
  expect((await rowsOf("numbered")).map(({ completionId }) => completionId)).toEqual(ids);
  await expect.poll(async () => (await rowsOf("listed")).length).toBe(8);
  expect(await rowsOf("listed")).toEqual(
    completions.toSorted((a, b) => a.id - b.id).map(({ id, personId }) => ({ completionId: id, personId })),
  );
  expect(await db.selectFrom("completionQueue").where("domain", "=", "lists").selectAll().execute()).toEqual([]);
});

test("a learner can save when a reaction in the transaction throws", async () => {
  failure = "within";
  const { id } = await complete();
  failure = "none";
  expect((await rowsOf("numbered")).map(({ completionId }) => completionId)).not.toContain(id);
  await expect.poll(() => handled).toContain(id);
});

test("a learner can save when a reaction loses the transaction", async () => {
  failure = "lost";
  const { id } = await complete();
  failure = "none";
  expect((await rowsOf("numbered")).map(({ completionId }) => completionId)).not.toContain(id);
});

test("a reaction that throws is repeated later, and holds up no other completion", async () => {
  failure = "after";
  const { id } = await complete();
  const failures = async () =>
    (
      await db
        .selectFrom("completionQueue")
        .where("domain", "=", "lists")
        .where("completionId", "=", id)
        .select("failures")
        .executeTakeFirst()
    )?.failures;
  await expect.poll(failures).toBe(1);
  expect((await rowsOf("listed")).map(({ completionId }) => completionId)).not.toContain(id);
  failure = "none";
  const next = await complete();
  await expect.poll(() => handled).toContain(next.id);
  await sql`update completion_queue set due_at = now()`.execute(db);
  nodes[1].following.reactions.request();
  await expect.poll(() => handled).toContain(id);
  expect(handled.filter((one) => one === id)).toEqual([id]);
});

test("what was completed without this server is handled as well, such as an import", async () => {
  const { id } = await complete();
  const { rows } = await sql<{ id: number }>`
    insert into completion_history (
      enrolment_id, attempt_id, attempt_no, person_id, company_id, course_id, version_id, success,
      active_seconds, reported_seconds, first_started_at, happened_at, recorded_at
    )
    select
      enrolment_id, gen_random_uuid(), 2, person_id, company_id, course_id, version_id, success,
      0, 0, now(), now(), now()
    from completion_history
    where id = ${id}
    returning id`.execute(db);
  nodes[0].following.reactions.request();
  await expect.poll(() => handled).toContain(Number(rows[0]?.id));
});

test("a domain hears of completions from its first start on", async () => {
  await complete();
  const seen: number[] = [];
  const late: Domain = {
    name: "late",
    completions: {
      after: async (_services, _tx, { id }) => {
        seen.push(id);
      },
    },
  };
  const following = await startCompletionReactions(onPool(services, "jobs"), [late]);
  const { id } = await complete();
  following.reactions.request();
  await expect.poll(() => seen).toEqual([id]);
  await following.stop();
});
