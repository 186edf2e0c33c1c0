import { views } from "#shared/reports/views.ts";
import { reports } from "#shared/reports/reports.ts";
import { createBotMaker } from "#test/bots.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server, admin, learner, company, course, session: { sessionId }, tag }) {
    const boss = server.as(admin);
    const issue = async (id: string) => bodyOf(await boss(reports.issue, { params: { id }, body: {} })).id;
    const issued = [await issue(company.id), await issue(learner.user.id)];
    const path = `/reports/company/${company.id}`;
    const view = bodyOf(await boss(views.create, { body: { name: `View ${tag}`, path, query: "", isShared: true } }));
    const bots = createBotMaker(server);
    const chat = await bots.talk(learner, await bots.createBot(admin, { companyIds: [company.id] }));
    const value = { variableId: course.id, reason: "support" };
    return {
      marks: issued,
      writes: {
        "reports.issue": { id: company.id, body: {} },
        "reports.revealValues": { id: sessionId, body: value },
        "reports.revealConversationValues": { id: chat.conversation.id, body: value },
        "views.create": { body: { name: "Theirs", path, query: "" } },
        "views.update": { id: view.id, body: { version: view.version, name: "Changed" } },
        "views.remove": { id: view.id },
        "views.mail": { id: view.id, body: { rhythm: "weekly", zone: "UTC" } },
      },
    };
  },
};
