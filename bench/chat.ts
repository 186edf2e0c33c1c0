import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { auth } from "#shared/auth/auth.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { companies } from "#shared/companies/companies.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { documents } from "#shared/documents/documents.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, median, processTreeOf, round } from "./_load.ts";
import { PASSWORD } from "#test/password.ts";

/**
 * A message to a chatbot through the whole product: from sending it until the first text on the stream of its answer,
 * without and with retrieval, as ratios to a direct call of the same provider in the same run; processor time per token
 * and memory per stream of answers that are read at once. The provider is a stand-in in another process, 40 pieces 5 ms
 * apart.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 60);
const STREAMS = Number(process.env.STREAMS ?? 200);
const PIECES = 40;
/** As many answers as one person may follow at once. */
const STREAMS_EACH = 6;
const key = "sk-bench";

const provider = fork(join(import.meta.dirname, "_provider.ts"));
const providerUrl = await new Promise<string>((resolve) => provider.once("message", (url) => resolve(String(url))));
const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const agent = new Agent({ keepAlive: true, maxSockets: STREAMS * 2 });
const base = server.url.replace("localhost", "127.0.0.1");

const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const prices = [{ input: 1, output: 1, validFrom: "2020-01-01" }];
const made = await admin.call(connectors.create, {
  body: {
    name: "Bench",
    kind: "openai",
    baseUrl: providerUrl,
    apiKey: key,
    maxConcurrent: 1000,
    models: [{ id: "m", use: "chat", prices }],
  },
});
await admin.call(connectors.test, { params: { id: made.id }, body: {} });
const topics = Array.from(
  { length: 200 },
  (_, at) => `# Rule ${at}\n\nEmployees of team ${at} have thirty days of holiday.`,
);
const handbook = await admin.call(documents.addText, { body: { title: "Handbook", text: topics.join("\n\n") } });
while ((await admin.call(documents.get, { params: { id: handbook.id } })).live === null) await sleep(100);

const limits = { perAddress: 1000, perPerson: 10_000, perDay: 1_000_000, perConversation: 1000 };
async function publish(name: string, documentIds: string[]) {
  const settings = botSettings.parse({ connectorId: made.id, documentIds, answerPolicy: "free", limits });
  const { id, version } = await admin.call(chatbots.create, { body: { name, settings } });
  return (await admin.call(chatbots.publish, { params: { id }, body: { version } })).id;
}
const bots = { plain: await publish("Plain", []), retrieving: await publish("Retrieving", [handbook.id]) };

const company = await admin.call(companies.create, { body: { name: "Bench" } });
const learners: { client: ReturnType<typeof createClient>; token: string }[] = [];
for (let at = 0; at < Math.ceil(STREAMS / STREAMS_EACH); at++) {
  const client = createClient(server.url);
  const email = `l${at}@example.com`;
  const body = { name: `Learner ${at}`, email, password: PASSWORD, accessCode: company.accessCode };
  await client.call(auth.register, { body });
  const { token } = await client.call(auth.signIn, { body: { email, password: PASSWORD } });
  client.useToken(token);
  learners.push({ client, token });
}

const MESSAGE = "How many days of holiday do the employees of team 77 have?";
/** Milliseconds to the first text and to the end. */
type Times = { first: number; total: number };

/** Reads a stream of events to its end; calls `onText` with the first bytes that have a word of the answer. */
function readStream(url: string, options: object, body: string | undefined, onText: () => void) {
  return new Promise<void>((resolve, reject) => {
    let isFirst = true;
    const call = request(url, { agent, ...options }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${url}: ${reply.statusCode}`));
      reply.on("data", (bytes: Buffer) => {
        if (!isFirst || !bytes.includes("word")) return;
        isFirst = false;
        onText();
      });
      reply.on("end", resolve);
    });
    call.on("error", reject);
    call.end(body);
  });
}
async function direct(): Promise<Times> {
  const started = performance.now();
  let first = 0;
  const sent = JSON.stringify({
    model: "m",
    messages: [{ role: "user", content: MESSAGE }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  await readStream(`${providerUrl}/chat/completions`, { method: "POST", headers }, sent, () => {
    first = performance.now() - started;
  });
  return { first, total: performance.now() - started };
}
async function openTalk(lane: number, chatbotId: string) {
  const { client, token } = learners[lane % learners.length] as (typeof learners)[number];
  const { id } = await client.call(conversations.start, { body: { id: randomUUID(), chatbotId } });
  return { client, token, id };
}
async function ask({ client, token, id }: Awaited<ReturnType<typeof openTalk>>): Promise<Times> {
  const started = performance.now();
  let first = 0;
  const { answer } = await client.call(conversations.send, {
    params: { id },
    body: { id: randomUUID(), text: MESSAGE },
  });
  const url = `${base}/api/turns/${answer.id}/stream?from=0`;
  await readStream(url, { headers: { authorization: `Bearer ${token}` } }, undefined, () => {
    first = performance.now() - started;
  });
  return { first, total: performance.now() - started };
}

const loadBefore = loadavg()[0] ?? 0;
const times: Record<"direct" | keyof typeof bots, Times[]> = { direct: [], plain: [], retrieving: [] };
for (let at = -5; at < ROUNDS; at++) {
  const measured = {
    direct: await direct(),
    plain: await ask(await openTalk(at + 5, bots.plain)),
    retrieving: await ask(await openTalk(at + 5, bots.retrieving)),
  };
  // The first rounds warm up.
  if (at >= 0) for (const name of ["direct", "plain", "retrieving"] as const) times[name].push(measured[name]);
}
const of = (name: keyof typeof times, part: keyof Times) => median(times[name].map((time) => time[part]));
for (const part of ["first", "total"] as const)
  for (const name of ["plain", "retrieving"] as const) {
    const [bare, ours] = [of("direct", part), of(name, part)];
    console.log(
      `${part.padEnd(6)} ${name.padEnd(11)} ratio to the direct call ${round(ours / bare)}, ${round(bare)} and ${round(ours)} ms, ` +
        `added ${round(ours - bare)} ms`,
    );
  }

const residentBytes = () => {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"));
  return Number(line?.[1] ?? Number.NaN) * 1024;
};
const talks = [];
for (let lane = 0; lane < STREAMS; lane++) talks.push(await openTalk(lane, bots.plain));
const cpuNow = () => ({
  server: cpuSeconds([server.pid()]),
  database: cpuSeconds(processTreeOf(server.postgresPid())),
});
const cpu = cpuNow();
const resident = residentBytes();
let highest = resident;
const watching = setInterval(() => (highest = Math.max(highest, residentBytes())), 20);
const started = performance.now();
const read = await Promise.all(talks.map(ask));
clearInterval(watching);
const cpuAfter = cpuNow();
const perToken = (part: keyof typeof cpu) => round(((cpuAfter[part] - cpu[part]) * 1e6) / (STREAMS * PIECES));
console.log(
  `${STREAMS} streams at once: ${perToken("server")} µs of the server and ${perToken("database")} µs of ` +
    `PostgreSQL per token, ${round((highest - resident) / STREAMS / 1024)} KiB per stream, all in ${Math.round(performance.now() - started)} ms, ` +
    `first text after ${Math.round(median(read.map(({ first }) => first)))} ms`,
);
console.log(`load of the machine before ${round(loadBefore)}, after ${round(loadavg()[0] ?? 0)}`);

agent.destroy();
provider.kill();
await server.remove();
process.exit(0);
