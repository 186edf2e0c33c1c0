import { analysis } from "#shared/analysis/analysis.ts";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import { views } from "#shared/reports/views.ts";
import { createQuestionMaker } from "#test/questions.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/**
 * What admins do with questions that a chatbot of theirs did not answer, with the scores of its conversations, and with
 * views.
 */
export async function changeQuestions(server: Server, admin: Person, learner: Person) {
  const boss = server.as(admin);
  const { createBot, ask, group, list } = createQuestionMaker(server);
  const rubric = [{ id: "kind", name: "a secret criterion", description: "" }];
  const bot = await createBot(admin, { rubric });
  const [chat] = await ask(learner, bot, "Where is the secret bicycle shed?");
  await group();
  const [cluster] = await list(admin, { chatbotId: bot.id });
  const params = { id: cluster?.id as string };
  await boss(questionClusters.update, { params, body: { ownerId: admin.user.id } });
  const answer = { kind: "document" as const, title: "a secret title", text: "Behind the secret gate." };
  await boss(questionClusters.answer, { params, body: { question: "Where is the secret shed?", answer } });
  const conversation = { id: chat?.conversation.id as string };
  await boss(analysis.score, { params: conversation, body: { scores: [{ id: "kind", value: 3 }] } });
  const { id, version } = (await boss(views.create, { body: { name: "a secret view", path: "/learners", query: "" } }))
    .body;
  await boss(views.update, { params: { id }, body: { version, name: "another secret view" } });
  await boss(views.remove, { params: { id } });
}
