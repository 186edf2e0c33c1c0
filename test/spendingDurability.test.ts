import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { BATCH } from "#server/analysis/runs/runWorker.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { auth } from "#shared/auth/auth.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { companies } from "#shared/companies/companies.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import type { Contract, Sent } from "#shared/core/route.ts";
import { createClient } from "#test/client.ts";
import { scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";

// The server is killed while models that cost money read conversations and answer: 3 times in `npm test`, 300 times in
// `npm run test:long`.

const KILLS = scaled(1, 300);
const CONVERSATIONS = 60;
const BATCHES = CONVERSATIONS / BATCH;
const TALKERS = 3;
const WORDS = ["Gloves ", "are ", "in ", "the ", "box."];

const server = await createProcess();
const provider = await startProvider("openai");
provider.always({ text: WORDS, structured: quoteAll, firstDelay: 40, delay: 20 });
afterAll(async () => {
  await server.remove();
  await provider.stop();
});

/** One statement that quotes each conversation. */
function quoteAll(told: string) {
  const known = JSON.parse(/Known statements: (\[.*\])/.exec(told)?.[1] ?? "[]") as { number: number }[];
  const sent = JSON.parse(told.slice(told.lastIndexOf('\n[{"number"'))) as { number: number }[];
  const quotes = sent.map(({ number }) => ({ conversation: number, turn: 1, quote: "gloves" }));
  return JSON.stringify({ statements: [{ known: known[0]?.number ?? null, text: "Gloves.", detail: "", quotes }] });
}

const admin = createClient(server.url);
const boss = async <C extends Contract>(contract: C, sent: Sent<C>) => ({
  status: 200,
  body: await admin.call(contract, sent as never),
});

/** Repeats a call until a server answers it. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : "";
      if (!(error instanceof TypeError) && !/: 50\d /.test(text)) throw error;
      await sleep(50);
    }
  }
}

async function createAcademy() {
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const connector = await connect(boss, provider, { maxConcurrent: 500, monthlyBudget: 1000 });
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
  const limits = { perAddress: 1000, perPerson: 10_000, perDay: 100_000, perConversation: 1000 };
  const settings = botSettings.parse({ connectorId: connector.id, limits });
  const createBot = async (name: string) => {
    const { id, version } = await admin.call(chatbots.create, { body: { name, settings } });
    return admin.call(chatbots.publish, { params: { id }, body: { version } });
  };
  const [read, asked] = [await createBot("Tutor"), await createBot("Coach")];
  await server.query(
    `with talk as (
       insert into conversations (id, chatbot_id, visitor, company_id, questions)
       select gen_random_uuid(), $1, 'visitor-' || n, $2, 1
       from generate_series(1, $3::int) n
       returning id
     )
     insert into turns (id, conversation_id, number, role, text, state)
     select gen_random_uuid(), id, 1, 'user', 'The gloves are too big.', 'done'
     from talk`,
    [read.id, company.id, CONVERSATIONS],
  );
  // An answer takes long to store: most kills come before it is.
  await server.query(`
    create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.15); return new; end'`);
  await server.query(`
    create trigger slow before update of read on analysis_runs for each row execute function slow()`);
  return { connector, read, asked };
}

test(
  "kills while models read and answer lose nothing, and pay for nothing twice",
  async () => {
    await server.start();
    const { connector, read, asked } = await createAcademy();
    const runIds: string[] = [];
    const answerIds: string[] = [];
    let kills = 0;
    const isOver = () => kills >= KILLS;
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const stateOf = async (id: string) =>
      (await server.query<{ state: string }>("select state from analysis_runs where id = $1", [id]))[0]?.state;
    const analyse = async () => {
      const filter = { from: day(-20), to: day(1), chatbotId: read.id };
      const body = { title: "What they say", kind: "themes" as const, connectorId: connector.id, filter };
      while (!isOver()) {
        const { id } = await persist(() => admin.call(analysisRuns.create, { body }));
        runIds.push(id);
        await vi.waitFor(
          async () => {
            if ((await stateOf(id).catch(() => null)) !== "done") throw new Error(`analysis ${id} is not done`);
          },
          { timeout: 150_000, interval: 50 },
        );
      }
    };
    const talk = async () => {
      const id = randomUUID();
      await persist(() => admin.call(conversations.start, { body: { id, chatbotId: asked.id } }));
      for (let at = 0; !isOver(); at++) {
        const body = { id: randomUUID(), text: `Question ${at} of ${id}: where are the gloves?` };
        const { answer } = await persist(() => admin.call(conversations.send, { params: { id }, body }));
        answerIds.push(answer.id);
        await vi.waitFor(
          async () => {
            const rows = await server.query("select from turns where id = $1 and state in ('done', 'cut')", [
              answer.id,
            ]);
            expect(rows).toHaveLength(1);
          },
          { timeout: 60_000, interval: 50 },
        );
        // A chatbot takes a thousand messages of one address in ten minutes.
        await sleep(500);
      }
    };
    const isStoring = () =>
      vi.waitFor(
        async () => {
          const rows = await server.query("select from pg_stat_activity where wait_event = 'PgSleep'");
          expect(rows).toHaveLength(1);
        },
        { timeout: 60_000, interval: 5 },
      );
    const working = Promise.all([analyse(), ...Array.from({ length: TALKERS }, talk)]);
    working.catch(() => {});
    while (!isOver()) {
      // Every other time while an answer that has come is being stored, which loses that answer.
      await (kills % 2 ? sleep(400 + Math.random() * 600) : Promise.race([working, isStoring()]));
      await server.kill();
      kills++;
      await server.start();
    }
    await working;

    await vi.waitFor(
      async () => expect(await server.query("select from ai_usage where status = 'running'")).toHaveLength(0),
      { timeout: 90_000, interval: 200 },
    );
    type Run = { state: string; read: number; spent: number; dropped: number; quotes: number; statements: number };
    const runs = await server.query<Run>(`
      select state, read, spent_micros::int as spent, dropped,
        (select count(*)::int from analysis_statements where run_id = run.id) as statements,
        (select count(*)::int
          from analysis_quotes
          join analysis_statements statement on statement.id = statement_id
          where run_id = run.id) as quotes
      from analysis_runs run`);
    expect(runs).toHaveLength(new Set(runIds).size);
    for (const run of runs)
      expect(run).toMatchObject({
        state: "done",
        read: CONVERSATIONS,
        quotes: CONVERSATIONS,
        statements: 1,
        dropped: 0,
      });

    const usage = await server.query<{ purpose: string; status: string; calls: number; cost: number }>(`
      select purpose, status, count(*)::int as calls, sum(cost_micros)::int as cost
      from ai_usage
      where connector_id = '${connector.id}'
      group by 1, 2`);
    const of = (purpose: string, status: string) =>
      usage.find((row) => row.purpose === purpose && row.status === status) ?? { calls: 0, cost: 0 };
    // Each batch is paid once by an analysis, besides calls whose answer never came.
    expect(of("analysis", "done").calls).toBe(runs.length * BATCHES);
    expect(runs.reduce((sum, { spent }) => sum + spent, 0)).toBe(of("analysis", "done").cost);
    expect(of("analysis", "lost").calls).toBeGreaterThan(0);
    const calls = provider.chats().filter(({ asked: chat }) => chat?.hasSchema && chat.text.includes("gloves"));
    expect(calls.length).toBeLessThanOrEqual(of("analysis", "done").calls + of("analysis", "lost").calls);

    // Each question has one answer and was sent at most once.
    const answers = await server.query<{ id: string; state: string; text: string }>(
      "select id, state, text from turns where role = 'assistant'",
    );
    expect(answers.map(({ id }) => id).toSorted()).toEqual([...new Set(answerIds)].toSorted());
    for (const { state, text } of answers) {
      expect(["done", "cut"]).toContain(state);
      if (state === "done") expect(text.trim()).toBe(WORDS.join("").trim());
    }
    const questions = provider
      .chats()
      .flatMap(({ asked: chat }) => chat?.text.match(/Question \d+ of \S+/g)?.at(-1) ?? []);
    expect(new Set(questions).size).toBe(questions.length);
    expect(of("chat", "done").calls).toBeGreaterThanOrEqual(answers.filter(({ state }) => state === "done").length);

    // The budget holds the sum of all calls, and reserves nothing any more.
    const [budget] = await server.query<{ spent: number; reserved: number }>(
      "select spent_micros::int as spent, reserved_micros::int as reserved from ai_budgets where owner_id = $1",
      [connector.id],
    );
    expect(budget).toEqual({ spent: usage.reduce((sum, { cost }) => sum + (cost ?? 0), 0), reserved: 0 });
  },
  scaled(240_000, 3_600_000),
);
