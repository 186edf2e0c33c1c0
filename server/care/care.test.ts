import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test, vi } from "vitest";
import { deleteOldAlerts } from "#server/care/alerts.ts";
import { audit } from "#shared/audit/audit.ts";
import { care } from "#shared/care/care.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { mails } from "#shared/mails/mails.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { connect } from "#test/providers/connect.ts";
import type { Person } from "#test/start.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, admin, provider, connector, ask, visit } = await startTalks();
const { as, make, db, services } = server;
const boss = as(admin);
const CALL = "Honestly, I want to kill myself.";

async function makeCompany() {
  const room = await make.classroom();
  const carer = await make.admin();
  const params = { id: room.company.id };
  const input = {
    purpose: "To offer help",
    hours: "Weekdays from 9 to 17",
    personIds: [carer.user.id],
    connectorId: null as string | null,
    model: "",
    version: 0,
  };
  const set = (changes: Partial<typeof input> = {}, by: Person = admin) =>
    as(by)(care.set, { params, body: { ...input, ...changes } });
  return { ...room, carer, params, set };
}
const alertsOf = async (who: Person, conversationId: string) =>
  (await as(who)(notifications.list)).body.items.filter(
    ({ kind, link }) => kind === "chatAlert" && link.includes(conversationId),
  );

describe("alerts", () => {
  test("nobody is told until the company has named them, and help is shown anyway", async () => {
    const { learner, carer, set } = await makeCompany();
    const bot = await createBot(admin, { connectorId: connector.id, careText: "Call 116 123." });
    const open = async () => (await as(learner)(chatbots.open, { params: { id: bot.id } })).body.care;
    const before = await talk(learner, bot);
    expect(await open()).toBeNull();
    expect(await ask(before, CALL)).toMatchObject({ state: "care", text: "Call 116 123." });
    const told = await db.selectFrom("notifications").where("kind", "=", "chatAlert").select("id").execute();
    expect(told).toEqual([]);

    expect((await set()).body).toMatchObject({ isOn: true, version: 1 });
    expect(await open()).toEqual({
      people: [carer.user.name],
      purpose: "To offer help",
      hours: "Weekdays from 9 to 17",
    });
    const after = await talk(learner, bot);
    expect(await ask(after, CALL)).toMatchObject({
      state: "care",
      text: `Call 116 123.\n\nThis conversation has been reported to ${carer.user.name}. Read: Weekdays from 9 to 17.`,
    });
    expect(await alertsOf(carer, after.conversation.id)).toHaveLength(1);
    expect(await alertsOf(admin, after.conversation.id)).toEqual([]);
  });

  test("the outbox shows an alert only to the person who was told", async () => {
    const { learner, carer, set } = await makeCompany();
    await set();
    const chat = await talk(learner, await createBot(admin, {}));
    await ask(chat, CALL);
    const seenBy = async (who: Person) =>
      (await as(who)(mails.list, { query: { q: carer.user.email } })).body.items.filter(
        ({ reason }) => reason === "notifications.chatAlert",
      );
    expect(await seenBy(carer)).toHaveLength(1);
    expect(await seenBy(admin)).toEqual([]);
  });

  test("a person who is suspended, or belongs to another company, is no longer told", async () => {
    const { learner, carer, set, params } = await makeCompany();
    const other = await make.company(admin);
    await set();
    const bot = await createBot(admin, {});
    const isTold = async () => {
      const chat = await talk(learner, bot);
      await ask(chat, CALL);
      const rows = await db
        .selectFrom("notifications")
        .where("link", "like", `%${chat.conversation.id}`)
        .select("userId")
        .execute();
      return [rows.length > 0, (await boss(care.get, { params })).body.isOn];
    };
    const change = (values: object) => db.updateTable("users").set(values).where("id", "=", carer.user.id).execute();
    expect(await isTold()).toEqual([true, true]);
    await change({ status: "suspended" });
    expect(await isTold()).toEqual([false, false]);
    await change({ status: "active" });
    await limitToCompany(db, carer, other.id);
    expect(await isTold()).toEqual([false, false]);
  });

  test("visitors have settings of their own", async () => {
    const carer = await make.admin();
    const bot = await createBot(admin, { access: "public" });
    const body = {
      purpose: "Help",
      hours: "Always",
      personIds: [carer.user.id],
      connectorId: null,
      model: "",
      version: 0,
    };
    expect((await boss(care.set, { params: { id: "visitors" }, body })).status).toBe(200);
    const chat = await talk(await visit(bot), bot);
    await ask(chat, CALL);
    expect(await alertsOf(carer, chat.conversation.id)).toHaveLength(1);
    expect((await boss(care.remove, { params: { id: "visitors" } })).status).toBe(204);
    const later = await talk(await visit(bot), bot);
    await ask(later, CALL);
    expect(await alertsOf(carer, later.conversation.id)).toEqual([]);
  });

  test("what tells of an alert is deleted after 30 days", async () => {
    const { learner, carer, set } = await makeCompany();
    await set();
    const chat = await talk(learner, await createBot(admin, {}));
    await ask(chat, CALL);
    const age = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const move = async (days: number) => {
      for (const table of ["notifications", "mails"] as const)
        await db
          .updateTable(table)
          .set({ createdAt: age(days) })
          .where("userId", "=", carer.user.id)
          .execute();
    };
    const left = async () =>
      Promise.all(
        (["notifications", "mails"] as const).map(
          async (table) =>
            (await db.selectFrom(table).where("userId", "=", carer.user.id).select("id").execute()).length,
        ),
      );
    await move(29);
    await deleteOldAlerts.work(services, {});
    expect(await left()).toEqual([1, 1]);
    await move(31);
    await deleteOldAlerts.work(services, {});
    expect(await left()).toEqual([0, 0]);
  });
});

test("a message that may be a call is answered, with the help text, and reported", async () => {
  const { learner, carer, set } = await makeCompany();
  await set();
  const chat = await talk(learner, await createBot(admin, { connectorId: connector.id }));
  const answer = await ask(chat, "He puts his hand on my lower back during stocktake and asks what I wear to bed.");
  expect(answer.state).toBe("done");
  expect((await chat.read()).turns[0]).toMatchObject({ role: "user", showsHelp: true });
  expect(await alertsOf(carer, chat.conversation.id)).toMatchObject([{ params: { topic: "harassment" } }]);
});

describe("settings", () => {
  test("an admin of one company names people of that company only, and no model", async () => {
    const { company, params, set, carer } = await makeCompany();
    const own = await make.admin();
    await limitToCompany(db, own, company.id);
    const other = await make.company(admin);
    expect((await set({ personIds: [own.user.id], connectorId: connector.id }, own)).body).toMatchObject({
      people: [{ id: own.user.id }],
      connectorId: null,
      choices: { connectors: [] },
    });
    expect((await as(own)(care.get, { params: { id: other.id } })).status).toBe(404);
    expect((await as(own)(care.get, { params: { id: "visitors" } })).status).toBe(404);
    await limitToCompany(db, carer, other.id);
    const refused = await set({ personIds: [carer.user.id], version: 1 });
    expect([refused.status, refused.body]).toMatchObject([422, { issues: [{ path: "personIds" }] }]);
    expect((await as(own)(care.get, { params })).body.version).toBe(1);
  });

  test("two admins do not overwrite each other", async () => {
    const { set } = await makeCompany();
    expect((await set()).status).toBe(200);
    const logged = (await boss(audit.list, { query: { size: 5 } })).body.items;
    expect(logged[0]).toMatchObject({ action: "care.set", details: { people: 1 } });
    expect((await set({ purpose: "Mine" })).status).toBe(409);
    expect((await set({ purpose: "Mine", version: 1 })).body).toMatchObject({ purpose: "Mine", version: 2 });
  });
});

describe("a moderation model", async () => {
  /** A server that answers `POST /v1/moderations` as `reply` says. */
  let reply: (send: (status: number, body: string) => void) => void = () => {};
  const asked: { model: string; input: string }[] = [];
  const stub = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += bytes));
    request.on("end", () => {
      asked.push(JSON.parse(body));
      reply((status, text) => response.writeHead(status, { "content-type": "application/json" }).end(text));
    });
  });
  await new Promise<void>((resolve) => stub.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    stub.closeAllConnections();
    stub.close();
  });
  const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}/v1`;
  const moderator = await connect(boss, provider);
  await db.updateTable("connectors").set({ baseUrl: url }).where("id", "=", moderator.id).execute();
  const says = (categories: object) => (send: (status: number, body: string) => void) =>
    send(200, JSON.stringify({ results: [{ flagged: true, categories }] }));

  async function say(text: string, how: typeof reply) {
    reply = how;
    await db.updateTable("connectors").set({ pausedUntil: null, failures: 0 }).where("id", "=", moderator.id).execute();
    const { learner, carer, set } = await makeCompany();
    expect((await set({ connectorId: moderator.id })).status).toBe(200);
    const chat = await talk(learner, await createBot(admin, { connectorId: connector.id }));
    const before = asked.length;
    const answer = await ask(chat, text);
    const told = () => alertsOf(carer, chat.conversation.id);
    return { chat, carer, answer, told, calls: () => asked.length - before };
  }

  test.each([
    ["self-harm", { "self-harm": true, violence: true }, "self-harm"],
    ["self-harm of Mistral", { selfharm: true }, "self-harm"],
    ["threats", { "harassment/threatening": true }, "violence"],
    ["hate of Mistral", { hate_and_discrimination: true }, "harassment"],
  ])("%s adds an alert to an answer that is not delayed, and shows the help text", async (_, categories, topic) => {
    const { answer, told, chat } = await say("I do not see a way any more.", says(categories));
    expect(answer.state).toBe("done");
    await vi.waitFor(async () => expect(await told()).toMatchObject([{ params: { topic } }]), 5000);
    expect((await chat.read()).turns[0]).toMatchObject({ role: "user", showsHelp: true });
    const seen = (await boss(conversations.transcript, { params: { id: chat.conversation.id } })).body;
    expect(seen.turns[0]?.showsHelp).toBe(false);
  });

  test("it takes no alert away, and adds none to that of a term", async () => {
    for (const categories of [{}, { "self-harm": true }]) {
      const { answer, told, calls } = await say(CALL, says(categories));
      expect(answer.state).toBe("care");
      await vi.waitFor(() => expect(calls()).toBe(1), 5000);
      expect(await told()).toHaveLength(1);
    }
  });

  test.each<[string, typeof reply]>([
    ["finds nothing", says({ "self-harm": false })],
    ["lies with scores", says({ "self-harm": 1e9, violence: "true", harassment: Number.NaN })],
    ["is refused", (send) => send(401, "{}")],
    ["is busy", (send) => send(429, "{}")],
    ["is down", (send) => send(500, "oops")],
    ["sends no JSON", (send) => send(200, "<html>")],
    ["sends another form", (send) => send(200, '{"results": []}')],
    ["sends no categories", (send) => send(200, '{"results": [{"flagged": true}]}')],
    ["never answers", () => {}],
  ])("no alert and no harm if it %s", async (_, how) => {
    const { answer, told, chat, calls } = await say("How do I park?", how);
    expect(answer.state).toBe("done");
    await vi.waitFor(() => expect(calls()).toBe(1), 5000);
    expect(await told()).toEqual([]);
    expect((await chat.read()).turns[0]?.showsHelp).toBe(false);
    expect((await ask(chat, "And where?", answer.id)).state).toBe("done");
  });
});
