import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { accountAction, audit, auditAction } from "#shared/audit/audit.ts";
import { botQuestions } from "#shared/chatbots/botQuestions.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { companies } from "#shared/companies/companies.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { documents } from "#shared/documents/documents.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { courses } from "#shared/courses/courses.ts";
import { events } from "#shared/events/events.ts";
import { eventRegistrations, registrationsExportPath } from "#shared/events/eventRegistrations.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { mails } from "#shared/mails/mails.ts";
import { reports } from "#shared/reports/reports.ts";
import { academies } from "#shared/settings/settings.ts";
import { sso } from "#shared/auth/sso.ts";
import { createBotMaker } from "#test/bots.ts";
import { changeCertificates } from "#test/auditedCertificates.ts";
import { changeGroups } from "#test/auditedGroups.ts";
import { changeRules } from "#test/auditedRules.ts";
import { addNumbered, allowPins } from "#test/numbered.ts";
import { changePeople } from "#test/auditedImports.ts";
import { changeQuestions } from "#test/auditedQuestions.ts";
import { performedElsewhere } from "#test/auditedElsewhere.ts";
import { changeVariables } from "#test/auditedVariables.ts";
import { draftInput } from "#test/events.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { CERTIFICATE } from "#test/samlKeys.ts";
import { type Person, start } from "#test/start.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9", CLAIM_CONFIRMATION: "off" });
const { app, as, make, db } = server;
const { createBot, talk } = createBotMaker(server);

/** All actions of admins on connectors and their costs. */
async function changeConnectors(admin: Person) {
  const boss = as(admin);
  const provider = await startProvider("openai");
  const { id, version } = await connect(boss, provider, { name: "a secret name" });
  await boss(connectors.update, { params: { id }, body: { name: "another secret name", version } });
  await boss(connectors.setStatus, { params: { id }, body: { status: "disabled" } });
  await boss(connectors.setSpending, { body: { currency: "EUR", monthlyBudget: null, limitText: "a secret text" } });
  const body = { name: "Unused", kind: "openai" as const, baseUrl: provider.url };
  await boss(connectors.remove, { params: { id: (await boss(connectors.create, { body })).body.id } });
  await provider.stop();
}

async function changePrompts(admin: Person) {
  const boss = as(admin);
  const body = { key: "secret-key", name: "a secret name", purpose: "button" as const, body: "a secret text" };
  const made = (await boss(prompts.create, { body })).body;
  const params = { id: made.id };
  await boss(prompts.update, { params, body: { name: "another secret name", version: made.version } });
  await boss(prompts.saveVersion, { params, body: { body: "a new secret", version: made.version + 1 } });
  await boss(prompts.setLive, { params, body: { versionId: made.draft.id, version: made.version + 2 } });
  await boss(prompts.addCase, { params, body: { name: "a secret question", message: "a secret" } });
  await boss(prompts.setStatus, { params, body: { status: "archived" } });
  await boss(buttonPrompts.create, { body: { key: "secret-button", label: "a secret label", promptId: made.id } });
}

async function changeChatbots(admin: Person, learner: Person) {
  const boss = as(admin);
  const bot = await createBot(admin, { persona: "a secret role" }, "a secret name");
  const params = { id: bot.id };
  await boss(chatbots.update, { params, body: { version: bot.version, name: "a secret", settings: bot.settings } });
  await boss(botQuestions.add, { params, body: { question: "a secret question" } });
  const chat = await talk(learner, bot);
  await boss(conversations.transcript, { params: { id: chat.conversation.id } });
  await boss(chatbots.setStatus, { params, body: { status: "paused" } });
}

async function changeDocuments(admin: Person) {
  const boss = as(admin);
  const text = "A secret rule stands in this text.";
  const { id, version } = (await boss(documents.addText, { body: { title: "a secret title", text } })).body;
  const params = { id };
  const first = { id, number: 1 } as never;
  await boss(documents.update, { params, body: { folder: "a secret folder", version } });
  await runPipeline(server.services);
  const body = { question: "a secret question", expected: "secret rule" };
  const question = (await boss(documents.addTestQuestion, { params, body })).body;
  await boss(documents.removeTestQuestion, { params: { id: question.id } });
  await boss(documents.indexAgain, { params: first });
  await runPipeline(server.services);
  await boss(documents.addText, { body: { title: "a secret title", text: `${text} Again.`, documentId: id } });
  await runPipeline(server.services);
  await boss(documents.publish, { params: first });
  await boss(documents.archive, { params });
  await boss(documents.restore, { params });
  await boss(documents.remove, { params });
}

test("records every admin action with admin and person but no content", async () => {
  const { admin, company, learner, course } = await make.classroom();
  const boss = as(admin);
  const target = await make.company(admin);
  const ids = [learner.user.id];
  await changeConnectors(admin);
  await changePrompts(admin);
  await changeChatbots(admin, learner);
  await changeDocuments(admin);
  await changeQuestions(server, admin, learner);
  await changePeople(server, admin);
  await changeGroups(server, admin);
  await changeRules(server, admin);
  await addNumbered(server, admin, await allowPins(server, admin, await make.company(admin)), "N-1");
  await changeCertificates(server, admin);
  await changeVariables(server, admin, course.id, course.code, await make.launch(learner, company.id, course.id));
  await boss(companies.update, {
    params: { id: company.id },
    body: { notes: "a secret note", version: company.version },
  });
  await boss(companies.rotateCode, { params: { id: company.id }, body: { version: company.version + 1 } });
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const logo = `data:image/png;base64,${png.toString("base64")}`;
  await boss(companies.setLogo, { params: { id: company.id }, body: { dataUrl: logo, version: company.version + 2 } });
  await boss(companies.setStatus, {
    params: { id: target.id },
    body: { status: "suspended", version: target.version },
  });
  await boss(companies.setStatus, {
    params: { id: target.id },
    body: { status: "active", version: target.version + 1 },
  });
  const email = `new-${randomUUID()}@example.com`;
  await boss(learners.invite, { body: { companyId: company.id, people: [{ email }] } });
  const invited = (await boss(learners.list, { query: { q: email } })).body.items[0]?.id as string;
  await boss(learners.resend, { body: { ids: [invited] } });
  await boss(learners.update, { params: { id: learner.user.id }, body: { name: "Lea New", version: 1 } });
  await boss(courses.setDue, { params: { id: course.id }, body: { userIds: ids, dueDate: "2020-01-01" } });
  await boss(mails.retry, { body: {} });
  await boss(courses.remind, { body: { courseId: course.id } });
  await boss(courses.withdraw, { params: { id: course.id }, body: { userIds: ids } });
  const restored = await boss(courses.restore, { params: { id: course.id }, body: { userIds: ids } });
  await boss(courses.undo, { params: { id: restored.body.undoId } });
  const now = (await boss(courses.get, { params: { id: course.id } })).body;
  await boss(courses.update, { params: { id: course.id }, body: { title: "Renamed", version: now.version } });
  await boss(courses.setLive, {
    params: { id: course.id },
    body: { versionId: now.versions[0]?.id as string, version: now.version + 1 },
  });
  await boss(companies.removeCourse, { params: { id: company.id, courseId: course.id } });
  await boss(learners.suspend, { body: { ids, reason: "a secret reason" } });
  await boss(learners.reactivate, { body: { ids } });
  await boss(learners.move, { body: { ids, companyId: target.id } });
  const { body: event } = await boss(events.create, { body: draftInput() });
  const { body: changed } = await boss(events.update, {
    params: { id: event.id },
    body: { title: "Renamed too", version: event.version },
  });
  const { body: live } = await boss(events.publish, { params: { id: event.id }, body: { version: changed.version } });
  await boss(eventRegistrations.sendMessage, {
    params: { id: event.id },
    body: { filter: {}, subject: "secret subject", text: "secret text" },
  });
  await app.inject({
    url: registrationsExportPath(live.id, "csv"),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await boss(events.remove, { params: { id: (await boss(events.create, { body: draftInput() })).body.id } });
  await boss(accounts.resetFactors, { params: { id: learner.user.id } });
  await boss(accounts.reauthenticate, { body: { method: "password", password: "a secret guess" } });
  await boss(sso.save, {
    params: { id: company.id },
    body: {
      kind: "saml",
      issuer: "https://idp.example",
      entryPoint: "https://idp.example/login",
      certificate: CERTIFICATE,
      domains: [`d${randomUUID().slice(0, 8)}.example`],
      enforced: false,
      enabled: true,
      version: 0,
    },
  });
  await boss(sso.remove, { params: { id: company.id } });
  const { id: botId, version: draft } = (await boss(chatbots.create, { body: { name: "a secret name" } })).body;
  const bot = { params: { id: botId } };
  const settings = botSettings.parse({ persona: "a secret persona" });
  const saved = await boss(chatbots.update, { ...bot, body: { version: draft, name: "a secret name", settings } });
  await boss(chatbots.publish, { ...bot, body: { version: saved.body.version } });
  await boss(chatbots.setStatus, { ...bot, body: { status: "paused" } });
  const filter = { from: "2026-01-01", to: "2026-12-31" };
  const run = await boss(analysisRuns.create, { body: { title: "a secret title", kind: "counts", filter } });
  const analysis = { params: { id: run.body.id } };
  for (const action of ["cancel", "resume", "cancel", "update", "remove"] as const)
    await boss(analysisRuns[action], analysis);
  await boss(reports.learner, { params: { id: learner.user.id } });
  await boss(reports.learner, { params: { id: learner.user.id } });
  await boss(privacy.export, { query: { userId: learner.user.id } });
  await boss(academies.update, { body: { tagline: "Words", version: (await boss(academies.settings)).body.version } });
  const { body } = await boss(audit.list, { query: { actorId: admin.user.id, size: 200 } });
  const listedActions = new Set(body.items.map(({ action }) => action));
  expect(
    auditAction.options
      .filter((action) => !listedActions.has(action) && !accountAction.options.some((own) => own === action))
      .toSorted(),
  ).toEqual(performedElsewhere);
  expect(body.items.filter(({ action }) => action === "reports.open")).toHaveLength(1);
  expect(body.items.find(({ action }) => action === "learners.move")).toMatchObject({
    personId: learner.user.id,
    person: "Lea New",
    companyId: target.id,
    actor: "Ada Admin",
  });
  expect(body.items.find(({ action }) => action === "chatbots.publish")).toMatchObject({ object: "a secret name" });
  expect(body.items.find(({ action }) => action === "analysis.remove")).toMatchObject({ object: null });
  const raw = JSON.stringify(await db.selectFrom("auditEntries").selectAll().execute());
  for (const word of ["secret", email, learner.user.email, "Lea", "Words", "Renamed"])
    expect([word, raw.includes(word)]).toEqual([word, false]);
});

test("filters the log, which has no entries of failed actions", async () => {
  const { admin, company, learner } = await make.classroom();
  await as(admin)(companies.update, { params: { id: company.id }, body: { notes: "x", version: 99 } });
  const count = async (query: object) =>
    (await as(admin)(audit.list, { query: { companyId: company.id, kind: "administration", ...query } as never })).body
      .total;
  expect(await count({ action: "companies.update" })).toBe(0);
  expect(await count({})).toBe(2);
  expect(await count({ action: "companies.create" })).toBe(1);
  expect(await count({ q: company.name })).toBe(2);
  expect(await count({ to: "2020-01-01" })).toBe(0);
  expect(await count({ from: "2020-01-01", days: 1 })).toBe(2);
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id] } });
  expect(
    (await as(admin)(audit.list, { query: { personId: learner.user.id } })).body.items.map(({ action }) => action),
  ).toEqual(["learners.suspend", "account.signIn"]);
});

test("shows people who viewed their records, but not those of others", async () => {
  const { admin, learner, company } = await make.classroom();
  const colleague = await make.learner(company.accessCode, "Carl");
  await as(admin)(reports.learner, { params: { id: learner.user.id } });
  await as(learner)(reports.learner, { params: { id: learner.user.id } });
  expect((await as(learner)(audit.mine, { query: { kind: "administration" } })).body.items).toMatchObject([
    { action: "reports.open", actor: "Ada Admin", isSelf: false },
  ]);
  expect((await as(colleague)(audit.mine, { query: { kind: "administration" } })).body.total).toBe(0);
});

test("refuses changes of entries in the database", async () => {
  await make.classroom();
  await expect(db.updateTable("auditEntries").set({ action: "events.remove" }).execute()).rejects.toThrow(
    "append-only",
  );
  await expect(
    db
      .updateTable("auditEntries")
      .set({ personId: (await make.admin()).user.id })
      .execute(),
  ).rejects.toThrow("append-only");
  await expect(db.deleteFrom("auditEntries").execute()).rejects.toThrow("append-only");
});
