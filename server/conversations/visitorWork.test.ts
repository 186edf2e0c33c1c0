import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { conversations, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { challengeIn, solve } from "#test/proofOfWork.ts";
import { startTalks } from "#test/talks.ts";

// Visitors need a proof of work after a few daily messages of their network

const { server, createBot, visit, admin, handbook, ended } = await startTalks();
const { as } = server;
const FREE = 10;

/** A visitor of a public chatbot, and a way to send messages from a network. */
async function talkFrom(network: string) {
  const bot = await createBot(admin, { access: "public", documentIds: [handbook.documentId] });
  const caller = as(null, { [VISITOR_HEADER]: await visit(bot), "x-forwarded-for": network });
  const open = async () =>
    (await caller(conversations.start, { body: { id: randomUUID(), chatbotId: bot.id } })).body.id;
  const read = async (id: string) => (await caller(conversations.get, { params: { id } })).body;
  const send = async (id: string, text: string, more: { proofOfWork?: string; id?: string } = {}) => {
    const reply = await caller(conversations.send, { params: { id }, body: { id: randomUUID(), text, ...more } });
    if (reply.status === 200) await ended({ read: () => read(id) }, reply.body.answer.id);
    return reply;
  };
  return { caller, open, read, send };
}

test("after ten daily messages of a network, each one needs a proof of work", async () => {
  const { open, read, send } = await talkFrom("203.0.113.5");
  const id = await open();
  for (let at = 0; at < FREE; at++) expect((await send(id, `How many days of holiday ${at}?`)).status).toBe(200);
  const refused = await send(id, "How many days of holiday?");
  expect(refused).toMatchObject({ status: 429, code: "conversations.proofOfWorkRequired" });
  expect(refused.body).toMatchObject({ error: expect.stringContaining("Many messages") as string });
  expect((await read(id)).turns).toHaveLength(2 * FREE);
  const proofOfWork = solve(challengeIn(refused));
  expect((await send(id, "How many days of holiday?", { proofOfWork })).status).toBe(200);
  // It is accepted once.
  expect((await send(id, "And again?", { proofOfWork })).code).toBe("conversations.proofOfWorkRequired");
});

test("a proof of work is for one conversation, and nothing forged passes for one", async () => {
  const { open, send } = await talkFrom("203.0.114.5");
  const [one, other] = [await open(), await open()];
  for (let at = 0; at < FREE; at++) await send(one, `How many days of holiday ${at}?`);
  const proofOfWork = solve(challengeIn(await send(one, "How many?")));
  expect((await send(other, "How many?", { proofOfWork })).status).toBe(429);
  for (const forged of ["", "e30=", Buffer.from('{"number":1}').toString("base64")])
    expect((await send(one, "How many?", { proofOfWork: forged })).status).toBe(429);
  expect((await send(one, "How many?", { proofOfWork })).status).toBe(200);
});

test("a message that was stored needs no further proof of work when it is sent again", async () => {
  const { open, send } = await talkFrom("203.0.115.5");
  const id = await open();
  for (let at = 0; at < FREE - 1; at++) await send(id, `How many days of holiday ${at}?`);
  const message = { id: randomUUID() };
  const first = await send(id, "How many?", message);
  expect((await send(id, "How many?", message)).body.answer.id).toBe(first.body.answer.id);
});

test("answers that are written again need a proof of work, too", async () => {
  const { caller, open, send } = await talkFrom("203.0.116.5");
  const id = await open();
  const { answer } = (await send(id, "How many days of holiday?")).body;
  for (let at = 1; at < FREE; at++) await send(id, `How many days of holiday ${at}?`);
  const again = (proofOfWork?: string) =>
    caller(conversations.regenerate, {
      params: { id: answer.id },
      body: { id: randomUUID(), ...(proofOfWork && { proofOfWork }) },
    });
  const refused = await again();
  expect(refused).toMatchObject({ status: 429, code: "conversations.proofOfWorkRequired" });
  expect((await again(solve(challengeIn(refused)))).status).toBe(200);
});

test("a visitor who may harm themselves is answered without a proof of work", async () => {
  const { open, send } = await talkFrom("203.0.117.5");
  const id = await open();
  for (let at = 0; at < FREE; at++) await send(id, `How many days of holiday ${at}?`);
  const reply = await send(id, "I want to kill myself.");
  expect(reply.body.answer.state).toBe("care");
});

test("people with an account need no proof of work", async () => {
  const { learner } = await server.make.classroom();
  const bot = await createBot(admin, { documentIds: [handbook.documentId] });
  const caller = as(learner, { "x-forwarded-for": "203.0.113.5" });
  const { id } = (await caller(conversations.start, { body: { id: randomUUID(), chatbotId: bot.id } })).body;
  for (let at = 0; at <= FREE; at++) {
    const sent = await caller(conversations.send, { params: { id }, body: { id: randomUUID(), text: `And ${at}?` } });
    expect(sent.status).toBe(200);
    const read = async () => (await caller(conversations.get, { params: { id } })).body;
    await ended({ read }, sent.body.answer.id);
  }
});

test("messages about self-harm need no proof of work, but a flood of them does", async () => {
  const { open, send } = await talkFrom("203.0.118.5");
  const id = await open();
  for (let at = 0; at < FREE; at++) await send(id, `How many days of holiday ${at}?`);
  for (let at = 0; at < 30; at++) expect((await send(id, "I want to kill myself.")).body.answer.state).toBe("care");
  const refused = await send(id, "I want to kill myself.");
  expect(refused.code).toBe("conversations.proofOfWorkRequired");
  const proofOfWork = solve(challengeIn(refused));
  expect((await send(id, "I want to kill myself.", { proofOfWork })).body.answer.state).toBe("care");
});
