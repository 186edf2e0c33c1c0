import { expect, test } from "vitest";
import { makeTone } from "#server/connectors/voice/voiceTest.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { transcriptionPath } from "#shared/conversations/conversations.ts";
import { connect, voiceModels } from "#test/providers/connect.ts";
import type { Person } from "#test/start.ts";
import { startTalks } from "#test/talks.ts";

// The voice that a chatbot offers, and what it needs

const { server, createBot, admin, provider } = await startTalks();
const { app, as, make, db } = server;
const spoken = await connect(as(admin), provider, { name: "Voice", speaks: true });
const voice = { isOn: true };
const voiceOf = async (who: Person, id: string) => (await as(who)(chatbots.open, { params: { id } })).body.voice;

test("without a transcription model, the browser listens where the admin allows it", async () => {
  const { learner } = await make.classroom();
  const browser = await createBot(admin, { voice: { ...voice, checks: true }, dictation: true });
  expect(await voiceOf(learner, browser.id)).toEqual({ hears: "browser", speaks: "browser", checks: true });
  const recorded = await app.inject({
    method: "POST",
    url: transcriptionPath(browser.id),
    headers: { authorization: `Bearer ${learner.token}`, "content-type": "audio/webm" },
    payload: Buffer.from(makeTone(2)),
  });
  expect(recorded.statusCode).toBe(502);
});

test("a company that masks names has no voice by a provider", async () => {
  const { learner, company } = await make.classroom();
  const bot = await createBot(admin, { connectorId: spoken.id, voice });
  await db.updateTable("companies").set({ maskNames: true }).where("id", "=", company.id).execute();
  expect(await voiceOf(learner, bot.id)).toBeNull();
});

test("a draft says what its voice needs before it is published", async () => {
  const problemsOf = async (settings: Parameters<typeof createBot>[1]) =>
    createBot(admin, settings).then(
      () => [],
      (error: Error) => JSON.parse(error.message).details.problems as string[],
    );
  const mute = await connect(as(admin), provider, { name: "Mute" });
  const free = await connect(as(admin), provider, {
    name: "Free",
    models: [
      { id: "stand-in-large", use: "chat", prices: [{ input: 1, output: 1, validFrom: "2020-01-01" }] },
      ...voiceModels.map((model) => ({ ...model, prices: [] })),
    ],
  });
  expect(await problemsOf({ connectorId: mute.id, voice })).toEqual(["voiceNothing"]);
  expect(await problemsOf({ connectorId: mute.id, voice, dictation: true })).toEqual([]);
  expect(await problemsOf({ connectorId: spoken.id, voice: { ...voice, speechModel: "unknown" } })).toEqual([
    "voiceNoModel",
  ]);
  expect(await problemsOf({ connectorId: spoken.id, voice: { ...voice, name: "carla" } })).toEqual(["voiceNoName"]);
  const open = { access: "public" as const, voice: { ...voice, forVisitors: true } };
  expect(await problemsOf({ connectorId: free.id, ...open })).toEqual(["voiceUnpriced"]);
});
