import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { companies } from "#shared/companies/companies.ts";
import { type AnswerEvent, conversations, isOpenState, type Turn } from "#shared/conversations/conversations.ts";
import { createClient } from "#test/client.ts";
import { isLong, scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import type { Contract, Sent } from "#shared/core/route.ts";
import { PASSWORD } from "#test/password.ts";

// The server is killed while a provider streams answers: twice in `npm test`, until 1,000 questions are stored in `npm
// run test:long`.

const CONVERSATIONS = scaled(15, 1000);
const LEARNERS = scaled(5, 10);
/** Fewer than the answers that one person may follow at once. */
const TALKS_EACH = 4;
const MIN_KILLS = scaled(1, 10);
const WORDS = Array.from({ length: 20 }, (_, at) => `word${at} `);
const WHOLE = WORDS.join("").trim();

const server = await createProcess({}, { shiftableClock: true });
const provider = await startProvider("openai");
provider.always({ text: WORDS, delay: 25 });
afterAll(async () => {
  await server.remove();
  await provider.stop();
});

type Learner = Awaited<ReturnType<typeof openClass>>["learners"][number];

/** Learners of one company, and a published chatbot that a model answers for. */
async function openClass() {
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const boss = async <C extends Contract>(contract: C, sent: Sent<C>) => ({
    status: 200,
    body: await admin.call(contract, sent as never),
  });
  const connector = await connect(boss, provider, { maxConcurrent: 500 });
  const limits = { perAddress: 1000, perPerson: 10_000, perDay: 100_000, perConversation: 100 };
  const settings = botSettings.parse({ connectorId: connector.id, limits });
  const bots = [];
  // Each chatbot takes a thousand messages of one address in ten minutes.
  for (const name of ["Tutor", "Coach", "Guide"]) {
    const { id, version } = await admin.call(chatbots.create, { body: { name, settings } });
    bots.push(await admin.call(chatbots.publish, { params: { id }, body: { version } }));
  }
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
  const enrol = async (at: number) => {
    const email = `learner-${at}@example.com`;
    const client = createClient(server.url);
    await client.call(auth.register, {
      body: { name: `Learner ${at}`, email, password: PASSWORD, accessCode: company.accessCode },
    });
    const signIn = async () => {
      const { token } = await client.call(auth.signIn, { body: { email, password: PASSWORD } });
      client.useToken(token);
      return token;
    };
    return { client, signIn, token: await signIn() };
  };
  return { bots, learners: await Promise.all(Array.from({ length: LEARNERS }, (_, at) => enrol(at))) };
}

/** Repeats a call until a server has answered it: as a browser does while there is none. */
async function persist<T>(learner: Learner, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : "";
      if (text.includes(": 401 ")) learner.token = await persist(learner, learner.signIn);
      else if (!(error instanceof TypeError) && !/: 50\d /.test(text)) throw error;
      await sleep(100);
    }
  }
}

/**
 * What somebody reads of an answer until its stream ends or breaks, or nothing has ended it for 5 s: its server was
 * killed before.
 */
async function readAlong({ token }: Learner, answerId: string) {
  let shown = "";
  let rest = "";
  try {
    const reply = await fetch(`${server.url}/api/turns/${answerId}/stream?from=0`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5000),
    });
    const decoder = new TextDecoder();
    for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>) {
      const messages = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) {
        if (!message.startsWith("data: ")) continue;
        const event = JSON.parse(message.slice(6)) as AnswerEvent;
        if (event.type === "text") shown = shown.slice(0, event.from) + event.text;
      }
    }
  } catch {
    // The server was killed.
  }
  return shown;
}

type Talk = { learner: Learner; id: string; questionId: string; text: string; answerIds: string[]; shown: string };
const start = ({ learner, id }: Talk, chatbotId: string) =>
  persist(learner, () => learner.client.call(conversations.start, { body: { id, chatbotId } }));
const post = async ({ learner, id, questionId, text, answerIds }: Talk) => {
  const body = { id: questionId, text };
  const { answer } = await persist(learner, () => learner.client.call(conversations.send, { params: { id }, body }));
  answerIds.push(answer.id);
  return answer;
};
const read = async ({ learner, id }: Talk) =>
  (await persist(learner, () => learner.client.call(conversations.get, { params: { id } }))).turns;

test(
  "kills in mid-answer lose no question, answer none twice, and leave none open",
  async () => {
    await server.start();
    const { bots, learners } = await openClass();
    const talks: Talk[] = [];
    let begun = 0;
    let kills = 0;
    const talkOn = async (learner: Learner) => {
      while (begun < CONVERSATIONS || kills < MIN_KILLS) {
        const at = begun++;
        const ids = { id: randomUUID(), questionId: randomUUID() };
        const talk: Talk = { learner, ...ids, text: `Question number ${at}.`, answerIds: [], shown: "" };
        await start(talk, bots[at % bots.length]?.id as string);
        const answer = await post(talk);
        talks.push(talk);
        talk.shown = await readAlong(learner, answer.id);
      }
    };
    let isDone = false;
    const working = Promise.all(
      learners.flatMap((learner) => Array.from({ length: TALKS_EACH }, () => talkOn(learner))),
    ).finally(() => {
      isDone = true;
    });
    const growing = () =>
      provider.chats().filter(({ pieces, isAborted }) => !isAborted && pieces > 0 && pieces < WORDS.length).length;
    while (!isDone) {
      await vi.waitFor(() => expect(isDone || growing() >= TALKS_EACH).toBe(true), { timeout: 60_000, interval: 20 });
      if (isDone) break;
      await sleep(Math.random() * 400);
      await server.kill();
      kills++;
      await server.start();
      // Some answers reach their end between two kills.
      await Promise.race([working, sleep(1500)]);
    }
    await working;
    expect(kills).toBeGreaterThanOrEqual(MIN_KILLS);
    expect(talks).toHaveLength(begun);

    // A minute later every lease of a killed server is over.
    await server.setClock(new Date(Date.now() + 60_000));
    const states: Record<string, number> = {};
    for (const talk of talks) {
      await post(talk);
      expect(new Set(talk.answerIds).size).toBe(1);
      const turns = await read(talk);
      const [question, answer] = turns as [Turn, Turn];
      expect(turns).toHaveLength(2);
      expect(question).toMatchObject({ id: talk.questionId, role: "user", text: talk.text });
      expect(answer).toMatchObject({ id: talk.answerIds[0], role: "assistant", parentId: talk.questionId });
      expect(["done", "cut"]).toContain(answer.state);
      states[answer.state] = (states[answer.state] ?? 0) + 1;
      if (answer.state === "done") expect(answer.text.trim()).toBe(WHOLE);
      expect(WHOLE.startsWith(answer.text.trim())).toBe(true);
      expect(WHOLE.startsWith(talk.shown.trim())).toBe(true);
      const asked = provider.chats().filter((chat) => chat.asked?.text.includes(talk.text));
      expect(asked.length).toBeLessThanOrEqual(1);
    }
    expect(states.done).toBeGreaterThan(0);
    expect(states.cut).toBeGreaterThan(0);

    // After an answer that was cut, the conversation goes on.
    const cut = talks.find(({ answerIds }) => answerIds.length > 0) as Talk;
    const next = { ...cut, questionId: randomUUID(), text: "And then?", answerIds: [] };
    const { id } = await post(next);
    await vi.waitFor(async () => expect((await read(cut)).find((turn) => turn.id === id)?.state).toBe("done"), {
      timeout: 10_000,
      interval: 100,
    });
    if (!isLong) return;
    // The job stores the end of the others within a minute.
    await vi.waitFor(
      async () => {
        const rows = await server.query<{ state: Turn["state"] }>("select distinct state from turns");
        expect(rows.filter(({ state }) => isOpenState(state))).toEqual([]);
      },
      { timeout: 150_000, interval: 1000 },
    );
  },
  scaled(120_000, 1_200_000),
);
