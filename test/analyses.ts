import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import { runAnalyses } from "#server/analysis/runs/runWorker.ts";
import { analysisRuns, type RunInput } from "#shared/analysis/analysisRuns.ts";
import { createBotMaker } from "#test/bots.ts";
import { connect } from "#test/providers/connect.ts";
import type { Provider } from "#test/providers/provider.ts";
import type { start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

const [from, to] = [-20, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)) as [
  string,
  string,
];
export const filter = { from, to };

/** Conversations that are stored as rows, and analyses of them with a model of the provider. */
export async function createAnalysisMaker(server: Awaited<ReturnType<typeof start>>, provider: Provider) {
  const { as, make, db, services } = server;
  const { createBot } = createBotMaker(server);
  const admin = await make.admin();
  const boss = as(admin);
  const connector = await connect(boss, provider);
  const company = await make.company(admin);
  /** Learners and a conversation of each, stored as rows: what they said, and whether the chatbot had an answer. */
  async function plant(texts: string[], refused: (at: number) => boolean = () => false, by?: string) {
    const { id: chatbotId } = await createBot(admin);
    await addConversations(chatbotId, texts, refused, by);
    return chatbotId;
  }
  /** `by`: the learner of all of them. */
  async function addConversations(chatbotId: string, texts: string[], refused: (at: number) => boolean, by?: string) {
    for (const [at, text] of texts.entries()) {
      const user = by
        ? { id: by }
        : await db
            .insertInto("users")
            .values({
              email: `${randomUUID()}@example.com`,
              name: "Lea",
              role: "learner",
              status: "active",
              companyId: company.id,
            })
            .returning("id")
            .executeTakeFirstOrThrow();
      const conversationId = randomUUID();
      await db
        .insertInto("conversations")
        .values({ id: conversationId, chatbotId, userId: user.id, companyId: company.id, questions: 1 })
        .execute();
      await addExchange(db, {
        conversationId,
        number: 1,
        question: { text },
        answer: { state: refused(at) ? "refused" : "done", text: "An answer." },
      });
    }
  }
  const startRun = async (chatbotId: string, input: Partial<RunInput> = {}) => {
    const body = {
      title: "What they say",
      kind: "themes" as const,
      connectorId: connector.id,
      filter: { ...filter, chatbotId },
      ...input,
    };
    const reply = await boss(analysisRuns.create, { body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  /** Runs the job until it has not enqueued another one. */
  const work = async () => {
    for (;;) {
      await runAnalyses.work(services, {});
      if (!(await takeJob())) return;
    }
  };
  /** Removes the job that continues the analyses; false if there is none. */
  async function takeJob() {
    const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from graphile_worker.jobs where key = 'analysis:run'`.execute(db);
    await sql`select graphile_worker.remove_job('analysis:run')`.execute(db);
    return rows[0]?.n === 1;
  }
  const read = async (id: string) => (await boss(analysisRuns.get, { params: { id } })).body;

  const say = (statements: object[]) => provider.next({ structured: JSON.stringify({ statements }) });
  return { boss, company, connector, plant, addConversations, startRun, work, takeJob, read, say };
}
