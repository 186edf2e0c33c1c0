import { conversations } from "#shared/conversations/conversations.ts";
import { createBotMaker } from "#test/bots.ts";
import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["conversations.*"],
  async fill({ server, admin, learner, company, tag }) {
    const bots = createBotMaker(server);
    const bot = await bots.createBot(admin, { companyIds: [company.id] }, `Bot of ${company.id}`);
    const chat = await bots.talk(learner, bot);
    await chat.send(`Message ${tag}`);
    return { marks: [chat.conversation.id, `Message ${tag}`] };
  },
  boundedPages: [conversations.all.path, `${conversations.all.path}?page=20`],
};
