import { analyticsRows } from "#shared/analysis/conversationAnalytics.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { createBotMaker } from "#test/bots.ts";
import { bodyOf, type Probes } from "#test/probes.ts";
import { createQuestionMaker } from "#test/questions.ts";

export const probes: Probes = {
  withoutCompany: ["analysisRuns.create", "analysisRuns.estimate"],
  async fill({ server, admin, learner, company, tag }) {
    const questions = createQuestionMaker(server);
    const tutor = await questions.createBot(admin, { companyIds: [company.id] });
    await questions.ask(learner, tutor, `Where is bicycle ${tag}?`);
    await questions.group();
    const [cluster] = await questions.list(admin, { chatbotId: tutor.id });
    if (!cluster) throw new Error("There is no group of unanswered questions");
    const filter = { from: "2026-01-01", to: "2026-12-31" };
    const title = `Analysis ${tag}`;
    const run = bodyOf(await server.as(admin)(analysisRuns.create, { body: { title, kind: "counts", filter } }));
    const bots = createBotMaker(server);
    const chat = await bots.talk(learner, await bots.createBot(admin, { companyIds: [company.id] }));
    await chat.send(`Question ${tag}`);
    const { id } = chat.conversation;
    return {
      marks: [`bicycle ${tag}`],
      writes: {
        "analysis.giveFeedback": { id, body: {} },
        "analysis.object": { id, body: { text: "Taken over" } },
        "analysis.score": { id, body: { scores: [{ id: "facts", value: 1 }] } },
        "analysis.skipScoring": { id, body: {} },
        "analysisRuns.cancel": { id: run.id, body: {} },
        "analysisRuns.resume": { id: run.id, body: {} },
        "analysisRuns.update": { id: run.id, body: {} },
        "analysisRuns.remove": { id: run.id },
        "questionClusters.update": { id: cluster.id, body: { status: "dismissed" } },
        "questionClusters.answer": {
          id: cluster.id,
          body: { question: "Taken over", answer: { kind: "document", title: "Taken over", text: "Taken over" } },
        },
      },
    };
  },
  boundedPages: [`${analyticsRows.conversations.path}?from=2025-08-01&to=2026-06-01`],
};
