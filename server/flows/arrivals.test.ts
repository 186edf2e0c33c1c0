import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { flows } from "#shared/flows/flows.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { createFlowMaker } from "#test/flows.ts";
import { connect as addConnector } from "#test/providers/connect.ts";
import { startTalks } from "#test/talks.ts";

// Flows and webhooks receive a value at once, however it arrives: the tests leave folding and passing on to the server

const { server, createBot, talk, admin, provider, connector, ask } = await startTalks();
const { as } = server;
const { createGroup, setValues, define, connect, currentOf, pause, storedOf, correct } = createFlowMaker(server);
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const boss = as(admin);
// Buttons use the default one.
await addConnector(boss, provider, { isDefault: true });

const received: { path: string; value: unknown }[] = [];
const receiver = createServer(async (request, response) => {
  received.push({ path: request.url ?? "", value: ((await json(request)) as { value: unknown }).value });
  response.writeHead(204).end();
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/**
 * The longest time for a value to pass two flows and reach a webhook, in ms: enough under load, and far below a minute.
 */
const SOON_MS = 5000;
/** The time in which a resumed flow has found that it must not pass anything on, in ms. */
const KEPT_MS = 1000;

/** A variable whose values pass to a second one, and from there to a third one and a webhook. */
async function wire(key: string) {
  const { company, course, learners, sessions } = await createGroup(1);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const source = await define(admin, { key, courses });
  const [second, third] = [await define(admin, { key: `${key}_2` }), await define(admin, { key: `${key}_3` })];
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${key}`;
  const webhook = (await boss(webhooks.create, { body: { name: key, url } })).body;
  const connectAll = async (more: { includesCurrent?: boolean; isActive?: boolean } = {}) => [
    (await connect(admin, source.id, second.id, more)).body,
    (await connect(admin, second.id, third.id)).body,
    (
      await boss(flows.create, {
        body: { sourceVariableId: source.id, target: { kind: "webhook", webhookId: webhook.id }, ...more },
      })
    ).body,
  ];
  const arrives = async (value: VariableValue | undefined) => {
    const expected = value === undefined ? [] : [value];
    await vi.waitFor(async () => expect(await currentOf(admin, third.id)).toEqual(expected), SOON_MS);
  };
  const isSent = (value: VariableValue) =>
    vi.waitFor(() => expect(received).toContainEqual({ path: `/${key}`, value }), SOON_MS);
  const learner = learners[0] as (typeof learners)[0];
  const set = (value: number) => setValues(sessions[0], [[key, value]]);
  return { key, company, course, learner, source, connectAll, arrives, isSent, set };
}
type Wired = Awaited<ReturnType<typeof wire>>;

async function clickButton({ key, course, learner }: Wired, value: number) {
  const draft = { key: "arrives-p", name: key, purpose: "button" as const, body: "{{input}}" };
  const prompt = (await boss(prompts.create, { body: draft })).body;
  await boss(prompts.setLive, {
    params: { id: prompt.id },
    body: { versionId: prompt.draft.id, version: prompt.version },
  });
  const outputs = [{ key, about: "A number" }];
  const body = { key: "arrives-b", label: key, promptId: prompt.id, courseIds: [course.id], outputs };
  const { id } = (await boss(buttonPrompts.create, { body })).body;
  await boss(buttonPrompts.setStatus, { params: { id }, body: { status: "active" } });
  provider.next({ structured: JSON.stringify({ answer: "Done", [key]: value }) });
  const run = await as(learner)(buttonPrompts.run, { params: { id }, body: { courseId: course.id, input: "Go" } });
  expect(run.body).toMatchObject({ values: { [key]: value } });
}

async function chat({ key, learner, source }: Wired, value: number) {
  const settings = botSettings.parse({ connectorId: connector.id, writeVariableIds: [source.id] });
  const bot = await createBot(admin, settings);
  provider.always({ structured: JSON.stringify({ values: [{ key, value, confidence: 0.9 }] }) });
  await ask(await talk(learner, bot), `It is ${value}.`);
}

test.each<[name: string, store: (wired: Wired, value: number) => Promise<unknown>]>([
  ["course", ({ set }, value) => set(value)],
  [
    "api",
    ({ source, learner }, value) =>
      boss(variables.sendValues, {
        body: { values: [{ id: randomUUID(), variableId: source.id, userId: learner.user.id, value }] },
      }),
  ],
  ["button", clickButton],
  ["chat", chat],
])("a value from the %s passes two flows and reaches a webhook at once", async (name, store) => {
  const wired = await wire(`arrives_${name}`);
  await wired.connectAll();
  await store(wired, 7);
  await wired.arrives(7);
  await wired.isSent(7);
});

test("a correction, a deletion and a restored value pass on at once", async () => {
  const wired = await wire("arrives_changed");
  await wired.connectAll();
  await wired.set(7);
  await wired.arrives(7);
  await correct(admin, wired.source.id, 7, 8);
  await wired.arrives(8);
  await wired.isSent(8);
  const { params } = (await storedOf(admin, wired.source.id)).find(({ value }) => value === 8) as {
    params: { valueId: never };
  };
  const { id } = (await boss(rawData.removeValue, { params })).body;
  await wired.arrives(undefined);
  await boss(rawData.restore, { params: { id } });
  await wired.arrives(8);
});

test("what is current passes on at once when a flow begins, or may begin", async () => {
  const begins = await wire("arrives_current");
  await begins.set(3);
  await begins.connectAll({ includesCurrent: true });
  await begins.arrives(3);
  await begins.isSent(3);

  const waits = await wire("arrives_later");
  await waits.set(4);
  const [flow, , toWebhook] = await waits.connectAll({ includesCurrent: true, isActive: false });
  await boss(variables.archive, { params: { id: waits.source.id } });
  if (flow && toWebhook) await Promise.all([pause(admin, flow, true), pause(admin, toWebhook, true)]);
  await sleep(KEPT_MS);
  await boss(variables.restore, { params: { id: waits.source.id } });
  await waits.arrives(4);
  await waits.isSent(4);

  const hidden = await wire("arrives_unhidden");
  await hidden.set(5);
  const [secret] = await hidden.connectAll({ includesCurrent: true, isActive: false });
  const change = async (privacy: "sensitive" | "none") => {
    const { version } = (await boss(variables.get, { params: { id: hidden.source.id } })).body;
    await boss(variables.update, { params: { id: hidden.source.id }, body: { version, privacy } });
  };
  await change("sensitive");
  if (secret) await pause(admin, secret, true);
  await sleep(KEPT_MS);
  await change("none");
  await hidden.arrives(5);
});
