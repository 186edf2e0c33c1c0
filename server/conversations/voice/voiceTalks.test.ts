import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { makeTone } from "#server/connectors/voice/voiceTest.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { ALL_PREFERENCES } from "#shared/consent/consentPreferences.ts";
import { consents } from "#shared/consent/consent.ts";
import { conversations, speechPath, transcriptionPath, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { connect } from "#test/providers/connect.ts";
import { HEARD } from "#test/providers/script.ts";
import type { Person } from "#test/start.ts";
import { startTalks } from "#test/talks.ts";

// Voice conversations: who may speak, the limits, and that no recording is stored

const { server, createBot, talk, visit, admin, provider, ended, ask } = await startTalks();
const { app, as, make, db } = server;
const spoken = await connect(as(admin), provider, { name: "Voice", speaks: true });
const voice = { isOn: true };
const tone = Buffer.from(makeTone(2));
const url = await app.listen({ port: 0, host: "127.0.0.1" });

type Sent = { query?: string; headers?: Record<string, string>; type?: string };
const record = (
  who: Person | null,
  chatbotId: string,
  bytes: Buffer = tone,
  { query = "", headers, type }: Sent = {},
) =>
  app.inject({
    method: "POST",
    url: `${transcriptionPath(chatbotId)}${query}`,
    headers: {
      ...(who && { authorization: `Bearer ${who.token}` }),
      "content-type": type ?? "audio/webm",
      ...headers,
    },
    payload: bytes,
  });
const listen = (who: Person, turnId: string, from: number, to: number) =>
  app.inject({
    method: "POST",
    url: `${speechPath(turnId)}?from=${from}&to=${to}`,
    headers: { authorization: `Bearer ${who.token}` },
  });
const voiceOf = async (who: Person | null, id: string) => (await as(who)(chatbots.open, { params: { id } })).body.voice;

test("speech becomes a message that is marked as spoken, and the answer is spoken", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice: { ...voice, name: "bruno", speed: 0.9 } });
  expect(await voiceOf(learner, bot.id)).toEqual({ hears: "provider", speaks: "provider", checks: false });
  const heard = await record(learner, bot.id, tone, { query: "?language=en" });
  expect([heard.statusCode, heard.json()]).toEqual([200, { text: HEARD }]);
  const chat = await talk(learner, bot);
  const params = { id: chat.conversation.id };
  const sent = await chat.caller(conversations.send, { params, body: { id: randomUUID(), text: HEARD, spoken: true } });
  const answer = await ended(chat, sent.body.answer.id);
  provider.next({ audio: [Buffer.from("sound of "), Buffer.from("a voice")] });
  const audio = await listen(learner, answer.id, 0, 9);
  expect([audio.statusCode, audio.headers["content-type"], audio.body]).toEqual([
    200,
    "audio/mpeg",
    "sound of a voice",
  ]);
  expect(provider.requests.at(-1)?.body).toMatchObject({
    voice: "bruno",
    speed: 0.9,
    input: answer.text.slice(0, 9).trim(),
  });
  const typed = await chat.send("And typed", answer.id);
  await ended(chat, typed.body.answer.id);
  expect((await chat.read()).turns.map((turn) => turn.spoken)).toEqual([true, false, false, false]);
  const { body: transcript } = await as(admin)(conversations.transcript, { params });
  expect(transcript.turns[0]).toMatchObject({ text: HEARD, spoken: true });
  await as(learner)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  const own = await app.inject({ url: "/api/exportUserData", headers: { authorization: `Bearer ${learner.token}` } });
  const exported = own.json<{ sections: { turns: { items: { text: string; spoken: boolean }[] } } }>().sections.turns;
  expect(exported.items.find(({ text }) => text === HEARD)?.spoken).toBe(true);
  const rows = await db.selectFrom("aiUsage").where("chatbotId", "=", bot.id).select(["purpose", "userId"]).execute();
  expect(rows.filter(({ userId }) => userId === learner.user.id).map(({ purpose }) => purpose)).toEqual(
    expect.arrayContaining(["transcription", "chat", "speech"]),
  );
});

test("an answer is spoken while it is still being written", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  const chat = await talk(learner, bot);
  provider.next({ text: ["A first sentence. ", "And ", "a ", "second ", "one. "], delay: 300 });
  const { answer } = (await chat.send("Talk")).body;
  const { length } = "A first sentence. ";
  expect((await listen(learner, answer.id, 0, length)).statusCode).toBe(200);
  expect(provider.requests.at(-1)?.body).toMatchObject({ input: "A first sentence." });
  expect((await chat.read()).turns.at(-1)?.finishedAt).toBeNull();
  await ended(chat, answer.id);
});

test("only recordings are written down, none longer than a minute or larger than 4 MB", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  const before = provider.requests.length;
  const pdf = await record(learner, bot.id, Buffer.from("%PDF-1.7 not a sound"), { type: "audio/webm" });
  expect([pdf.statusCode, pdf.json().code]).toEqual([415, "conversations.voiceFormat"]);
  expect((await record(learner, bot.id, Buffer.alloc(0))).statusCode).toBe(415);
  const long = await record(learner, bot.id, Buffer.from(makeTone(63)));
  expect([long.statusCode, long.json().code]).toEqual([413, "conversations.voiceTooLong"]);
  expect((await record(learner, bot.id, Buffer.alloc(4 * 1024 ** 2 + 1))).statusCode).toBe(413);
  expect(provider.requests).toHaveLength(before);
});

test("limits apply before a recording is read, even in parallel", async () => {
  const { learner } = await make.classroom();
  const limits = { perPerson: 3, perAddress: 1000, perDay: 1000, text: "Enough said." };
  const bot = await createBot(admin, { connectorId: spoken.id, voice, limits });
  const replies = await Promise.all(Array.from({ length: 12 }, () => record(learner, bot.id)));
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
  expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(9);
  const refused = await record(learner, bot.id);
  expect(refused.json()).toMatchObject({ code: "conversations.voiceLimit", details: { text: "Enough said." } });
  // An invalid body is not read, because the limit is checked first.
  expect((await record(learner, bot.id, Buffer.alloc(4 * 1024 ** 2 + 1))).statusCode).toBe(429);
});

test("one person has at most four recordings written down at once", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  const gate = provider.requests.length;
  provider.next(...Array.from({ length: 4 }, () => ({ delay: 1500 })));
  const running = Array.from({ length: 4 }, () => record(learner, bot.id));
  await vi.waitFor(() => expect(provider.requests).toHaveLength(gate + 4), 5000);
  expect((await record(learner, bot.id)).json().code).toBe("core.tooMany");
  expect((await Promise.all(running)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect((await record(learner, bot.id)).statusCode).toBe(200);
});

test("recordings whose senders leave at once keep nobody else waiting", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  const { port } = new URL(url);
  const leaving = Array.from(
    { length: 40 },
    (_, ms) =>
      new Promise<void>((resolve) => {
        const socket = connectSocket(Number(port), "127.0.0.1", () => {
          socket.write(
            [
              `POST ${transcriptionPath(bot.id)} HTTP/1.1`,
              "Host: localhost",
              `Authorization: Bearer ${learner.token}`,
              "Content-Type: audio/webm",
              "Content-Length: 1000",
              "\r\n",
            ].join("\r\n"),
          );
          setTimeout(() => socket.destroy(), ms / 2);
        });
        socket.on("error", () => {}).on("close", () => resolve());
      }),
  );
  await Promise.all(leaving);
  await vi.waitFor(async () => expect((await record(learner, bot.id)).statusCode).toBe(200), 5000);
});

test("voice is refused for other companies, mute chatbots, and answers of others", async () => {
  const { learner, company } = await make.classroom();
  const { learner: stranger } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice, companyIds: [company.id] });
  const silent = await createBot(admin, { connectorId: spoken.id });
  expect((await record(learner, bot.id)).statusCode).toBe(200);
  expect((await record(stranger, bot.id)).statusCode).toBe(404);
  expect((await record(learner, silent.id)).statusCode).toBe(404);
  expect((await record(learner, bot.id, tone, { query: "?preview=yes" })).statusCode).toBe(403);
  expect((await record(admin, bot.id, tone, { query: "?preview=yes" })).statusCode).toBe(200);
  expect((await record(null, bot.id)).statusCode).toBe(401);
  const answer = await ask(await talk(learner, bot), "Hello");
  expect((await listen(stranger, answer.id, 0, 4)).statusCode).toBe(404);
  expect((await listen(learner, answer.parentId as string, 0, 4)).statusCode).toBe(404);
  expect((await listen(learner, answer.id, 0, 5000)).statusCode).toBe(422);
  expect((await listen(learner, answer.id, 900, 905)).statusCode).toBe(422);
  expect(await voiceOf(learner, silent.id)).toBeNull();
});

test("visitors speak to a public chatbot only if its admin allows it", async () => {
  const closed = await createBot(admin, { connectorId: spoken.id, access: "public", voice });
  const open = await createBot(admin, {
    connectorId: spoken.id,
    access: "public",
    voice: { ...voice, forVisitors: true },
  });
  const headers = async (bot: { id: string }) => ({ [VISITOR_HEADER]: await visit(bot) });
  expect((await record(null, closed.id, tone, { headers: await headers(closed) })).statusCode).toBe(404);
  expect((await record(null, open.id, tone, { headers: await headers(open) })).statusCode).toBe(200);
  expect((await record(null, open.id, tone, { headers: await headers(closed) })).statusCode).toBe(404);
  expect([await voiceOf(null, closed.id), await voiceOf(null, open.id)]).toMatchObject([null, { hears: "provider" }]);
});

test("a provider that fails and a budget that is used up are said in sentences of ours", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  provider.next({ status: 500 });
  const down = await record(learner, bot.id);
  expect([down.statusCode, down.json().code]).toEqual([502, "conversations.voiceDown"]);
  expect(down.body).not.toContain("sk-stand-in");
  const poor = await connect(as(admin), provider, { name: "Poor", speaks: true, monthlyBudget: 0.011 });
  const broke = await createBot(admin, { connectorId: poor.id, voice });
  const spent = await record(learner, broke.id);
  expect([spent.statusCode, spent.json().code]).toEqual([409, "conversations.voiceBudget"]);
  expect(spent.json().details.text).not.toBe("");
});

test("leaving during a transcription cancels the call at the provider", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  const leaving = new AbortController();
  const before = provider.requests.length;
  provider.next({ hangs: true });
  const sent = fetch(`${url}${transcriptionPath(bot.id)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${learner.token}`, "content-type": "audio/wav" },
    body: tone,
    signal: leaving.signal,
  }).catch(() => null);
  await vi.waitFor(() => expect(provider.requests.length).toBe(before + 1), 5000);
  leaving.abort();
  await sent;
  await vi.waitFor(() => expect(provider.requests.at(-1)?.isAborted).toBe(true), 5000);
  await vi.waitFor(async () => {
    const row = await db.selectFrom("aiUsage").where("chatbotId", "=", bot.id).select("status").executeTakeFirst();
    expect(row?.status).toBe("stopped");
  }, 5000);
});

test("no recording is in the database or in a file", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  const marker = `MARK${randomUUID().replaceAll("-", "")}`;
  const bytes = Buffer.concat([tone, Buffer.from(marker)]);
  expect((await record(learner, bot.id, bytes)).statusCode).toBe(200);
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  for (const { name } of tables) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${sql.table(name)} t where position(${marker} in t::text) > 0
        or position(${Buffer.from(marker).toString("hex")} in t::text) > 0) as found`.execute(db);
    expect([name, rows[0]?.found]).toEqual([name, false]);
  }
  const { dataDir } = server.services.config;
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  for (const file of names.filter((entry) => entry.isFile()))
    expect((await readFile(join(file.parentPath, file.name))).includes(marker)).toBe(false);
});
