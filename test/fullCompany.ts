import { randomUUID } from "node:crypto";
import { committer, openPart, setValue } from "#test/commits.ts";
import { documents } from "#shared/documents/documents.ts";
import { courses } from "#shared/courses/courses.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { learners } from "#shared/learners/learners.ts";
import { reports } from "#shared/reports/reports.ts";
import { sso } from "#shared/auth/sso.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { variables } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { createEventMaker } from "#test/events.ts";
import { createQuestionMaker } from "#test/questions.ts";
import { createBotMaker } from "#test/bots.ts";
import type { start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** A company with something of everything. */
export async function createFullCompany(server: Server) {
  const { as, make } = server;
  const { admin, learner, company, course } = await make.classroom();
  const colleague = await make.learner(company.accessCode, `Carl ${randomUUID().slice(0, 8)}`);
  const boss = as(admin);
  const email = `invited-${randomUUID()}@example.com`;
  const people = [{ email, name: `Ines ${email.slice(8, 16)}` }];
  await boss(learners.invite, { body: { companyId: company.id, people } });
  await boss(learners.suspend, { body: { ids: [colleague.user.id], reason: `Reason ${randomUUID()}` } });
  const session = await make.launch(learner, company.id, course.id);
  const answer = [
    setValue(3, "cmi.interactions.0.id", "q1"),
    setValue(4, "cmi.interactions.0.student_response", randomUUID()),
  ];
  const uses = [{ courseId: course.id, access: "both" as const }];
  await boss(prompts.create, { body: { key: `p-${randomUUID()}`, name: "P", purpose: "button", body: "P" } });
  await boss(variables.create, {
    body: { key: "rating", label: "Rating", type: "number", leaderboard: true, courses: uses },
  });
  const value = { seq: 5, t: 1, type: "variable.set" as const, sco: "i1", key: "rating", value: "7" };
  await committer(as)(session, { events: [...openPart(), ...answer, value] });
  const { sessionId } = session;
  const recording = { sessionId, userId: learner.user.id, companyId: company.id, chunks: 1 };
  await server.db.insertInto("recordings").values(recording).execute();
  await server.db
    .insertInto("recordingChunks")
    .values({ sessionId, number: 0, body: Buffer.from(`Recording ${randomUUID()}`) })
    .execute();
  await boss(webhooks.create, {
    body: { name: `Hook ${randomUUID().slice(0, 8)}`, url: "https://example.com/", companyId: company.id },
  });
  await boss(documents.addText, { body: { title: `Rules ${randomUUID()}`, text: `Word ${randomUUID()}.` } });
  const event = await createEventMaker(server).createPublished(admin, { visibility: "company", companyId: company.id });
  const guest = { name: `Gerd ${randomUUID().slice(0, 8)}`, email: `gerd-${randomUUID()}@example.com` };
  await boss(eventRegistrations.add, { params: { id: event.id }, body: { ...guest, state: "confirmed" } });
  await boss(sso.save, {
    params: { id: company.id },
    body: {
      kind: "oidc",
      issuer: "http://127.0.0.1:1",
      clientId: "x",
      clientSecret: "y",
      domains: [`${randomUUID().slice(0, 8)}.example`],
      enforced: false,
      enabled: false,
      version: 0,
    },
  });
  const { body } = await boss(courses.setDue, {
    params: { id: course.id },
    body: { filter: {}, dueDate: "2031-01-01" },
  });
  for (const id of [company.id, learner.user.id]) await boss(reports.issue, { params: { id }, body: {} });
  const bots = createBotMaker(server);
  const bot = await bots.createBot(admin, { companyIds: [company.id] }, `Bot of ${company.id}`);
  const chat = await bots.talk(learner, bot);
  await chat.send(`Question ${randomUUID()}`);
  const questions = createQuestionMaker(server);
  const tutor = await questions.createBot(admin, { companyIds: [company.id] });
  await questions.ask(learner, tutor, `Where is bicycle ${randomUUID()}?`);
  await questions.group();
  return { manager: admin, learner, company, course, undoId: body.undoId };
}
