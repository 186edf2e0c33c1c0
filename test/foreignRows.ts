import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import type { Company } from "#shared/companies/companies.ts";
import { views } from "#shared/reports/views.ts";
import { flows } from "#shared/flows/flows.ts";
import { documents } from "#shared/documents/documents.ts";
import { variables } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { createBotMaker } from "#test/bots.ts";
import { createQuestionMaker } from "#test/questions.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/**
 * An API key, a webhook and a flow to it of a company, a flow of the academy, and a conversation of its learner ("Bravo
 * question"), an unanswered question, an analysis and a view.
 */
export async function createConnections(
  server: Server,
  admin: Person,
  { company, learner }: { company: Pick<Company, "id">; learner: Person },
) {
  const boss = server.as(admin);
  const companyId = company.id;
  const apiKey = await boss(apiKeys.create, { body: { name: "Bravo key", scopes: ["values:read"], companyId } });
  const webhook = await boss(webhooks.create, {
    body: { name: "Bravo webhook", url: "https://example.com/", companyId },
  });
  const variable = await boss(variables.create, {
    body: { key: "bravo_flow", label: "Bravo variable", type: "number", courses: [] },
  });
  const target = { kind: "webhook" as const, webhookId: webhook.body.id };
  const flow = await boss(flows.create, { body: { sourceVariableId: variable.body.id, target } });
  const goal = await boss(variables.create, {
    body: { key: "bravo_goal", label: "Bravo goal", type: "number", courses: [] },
  });
  const shared = {
    sourceVariableId: variable.body.id,
    target: { kind: "variable" as const, variableId: goal.body.id },
  };
  const sharedFlow = await boss(flows.create, { body: shared });
  const flowWrites = {
    "flows.create": { body: { sourceVariableId: variable.body.id, target } },
    "flows.update": { id: flow.body.id, body: { version: 1, isActive: false } },
    "flows.remove": { id: flow.body.id },
    "flows.try": { body: { ...shared, value: 1, userId: learner.user.id } },
  };
  const bots = createBotMaker(server);
  const bot = await bots.createBot(admin, { companyIds: [companyId] });
  const chat = await bots.talk(learner, bot);
  await chat.send("Bravo question");
  const questions = createQuestionMaker(server);
  await questions.ask(learner, bot, "Bravo unanswered question");
  await questions.group();
  const [cluster] = await questions.list(admin, { chatbotId: bot.id });
  const filter = { from: "2026-01-01", to: "2026-12-31" };
  const run = await boss(analysisRuns.create, { body: { title: "Bravo analysis", kind: "counts", filter } });
  const path = `/reports/company/${companyId}`;
  const view = await boss(views.create, { body: { name: "Bravo view", path, query: "", isShared: true } });
  const id = cluster!.id;
  const analysisWrites = {
    "analysisRuns.cancel": { id: run.body.id, body: {} },
    "analysisRuns.resume": { id: run.body.id, body: {} },
    "analysisRuns.update": { id: run.body.id, body: {} },
    "analysisRuns.remove": { id: run.body.id },
    "questionClusters.update": { id, body: { status: "dismissed" } },
    "questionClusters.answer": {
      id,
      body: { question: "Taken over", answer: { kind: "document", title: "Taken over", text: "Taken over" } },
    },
    "analysis.score": { id: chat.conversation.id, body: { scores: [{ id: "facts", value: 1 }] } },
    "analysis.skipScoring": { id: chat.conversation.id, body: {} },
  };
  return {
    analysisWrites,
    flowWrites,
    sharedFlow: sharedFlow.body,
    flow: flow.body,
    view: view.body,
    apiKey: apiKey.body,
    webhook: webhook.body,
    chat,
  };
}

/** A document that only one company may have quoted, and a test question about it. */
export async function createDocument({ as, db }: Server, admin: Person, companyId: string) {
  const body = { title: "Bravo document", text: "Bravo text of a passage" };
  const document = (await as(admin)(documents.addText, { body })).body;
  await db.updateTable("documents").set({ companyId, allCompanies: false }).where("id", "=", document.id).execute();
  const question = await db
    .insertInto("testQuestions")
    .values({ documentId: document.id, question: "Bravo question", expected: "Bravo" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { document, question };
}
