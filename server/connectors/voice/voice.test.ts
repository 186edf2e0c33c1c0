import { afterAll, expect, test, vi } from "vitest";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import { readAudio } from "#server/connectors/voice/audioFormat.ts";
import { speak } from "#server/connectors/voice/speak.ts";
import { transcribe } from "#server/connectors/voice/transcribe.ts";
import { makeTone } from "#server/connectors/voice/voiceTest.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { connect, voiceModels } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Speech to text and text to speech through a connector

const { as, make, services, db } = await start();
const admin = await make.admin();
const boss = as(admin);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const connector = await connect(boss, provider, { speaks: true });

const tone = makeTone(3);
const recordingOf = (connectorId: string, bytes = tone) => ({
  connectorId,
  model: null,
  companyId: null,
  bytes,
  audio: readAudio(bytes) ?? { type: "audio/wav", extension: "wav", seconds: null },
  language: "de",
});
const speechOf = (connectorId: string, text = "Guten Morgen") =>
  ({ connectorId, model: null, companyId: null, text, voice: "", speed: 1.25 }) as const;
const readAll = async (audio: AsyncGenerator<Uint8Array>) => {
  const parts: Uint8Array[] = [];
  for await (const bytes of audio) parts.push(bytes);
  return Buffer.concat(parts);
};
const lastCall = (purpose: "transcription" | "speech") =>
  db.selectFrom("aiUsage").where("purpose", "=", purpose).orderBy("at", "desc").selectAll().executeTakeFirstOrThrow();
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof GatewayError ? error.code : error),
  );

test("the test of a connector says whether its voice works, and Google's cannot", async () => {
  expect(connector.lastTest).toMatchObject({ code: null, transcription: "works", speech: "works" });
  const google = await startProvider("google");
  const { id } = await connect(boss, google, { speaks: true });
  const { body } = await boss(connectors.test, { params: { id }, body: {} });
  expect(body.lastTest).toMatchObject({ code: null, chat: "works", transcription: "fails", speech: "fails" });
  await google.stop();
});

test("a connector for speech only is tested and used without a chat model", async () => {
  const only = await connect(boss, provider, { models: voiceModels });
  expect(only.lastTest).toMatchObject({ code: null, chat: "untried", transcription: "works", speech: "works" });
});

test("a recording is sent as a file, priced by reported seconds or by its own", async () => {
  provider.next({ heard: " Guten Tag ", seconds: 5 });
  expect(await transcribe(services, recordingOf(connector.id))).toBe("Guten Tag");
  const sent = provider.requests.at(-1);
  expect(sent?.recording).toMatchObject({ name: "speech.wav", type: "audio/wav", size: tone.length });
  expect((sent?.body as FormData | undefined)?.get("language")).toBe("de");
  // 0.6 per minute are 10,000 millionths per second.
  expect(await lastCall("transcription")).toMatchObject({
    status: "done",
    inputTokens: 5,
    costMicros: 50_000,
    isEstimated: false,
  });
  await transcribe(services, recordingOf(connector.id));
  expect(await lastCall("transcription")).toMatchObject({ inputTokens: 3, costMicros: 30_000, isEstimated: true });
});

test("speech passes its first bytes on at once, and is priced by its characters", async () => {
  const heard = Promise.withResolvers<void>();
  async function* audioOf() {
    yield Buffer.from("first");
    await heard.promise;
    yield Buffer.from("second");
  }
  provider.next({ audio: audioOf() });
  const audio = speak(services, speechOf(connector.id));
  const first = await audio.next();
  expect(Buffer.from(first.value as Uint8Array).toString()).toBe("first");
  heard.resolve();
  expect((await readAll(audio)).toString()).toBe("second");
  expect(provider.requests.at(-1)?.body).toMatchObject({ voice: "alma", input: "Guten Morgen", speed: 1.25 });
  expect(await lastCall("speech")).toMatchObject({ status: "done", inputTokens: 12, costMicros: 120 });
});

test("closing the stream cancels the call at the provider, which is still billed", async () => {
  provider.next({ audio: Array.from({ length: 50 }, () => Buffer.from("sound")), delay: 50 });
  for await (const _ of speak(services, speechOf(connector.id))) break;
  await vi.waitFor(() => expect(provider.requests.at(-1)?.isAborted).toBe(true), 2000);
  expect(await lastCall("speech")).toMatchObject({ status: "stopped", costMicros: 120 });
});

test("each failure has its code, costs nothing, and five of them pause the connector", async () => {
  const ownConnector = await connect(boss, provider, { speaks: true });
  const reasons = [
    [{ status: 401 }, "bad_key"],
    [{ status: 404 }, "not_found_model"],
    [{ status: 429 }, "busy"],
    [{ status: 400 }, "bad_request"],
    [{ instead: "html" }, "bad_reply"],
  ] as const;
  for (const [script, code] of reasons) {
    provider.next(script);
    expect(await codeOf(transcribe(services, recordingOf(ownConnector.id)))).toBe(code);
    expect(await lastCall("transcription")).toMatchObject({ status: "failed", code, costMicros: 0 });
  }
  provider.next({ instead: "json" });
  expect(await codeOf(readAll(speak(services, speechOf(ownConnector.id))))).toBe("bad_reply");
  provider.next({ audio: [Buffer.from("some"), Buffer.from("more")], cutAfter: 1 });
  expect(await codeOf(readAll(speak(services, speechOf(ownConnector.id))))).toBe("truncated");
  expect(await lastCall("speech")).toMatchObject({ status: "cut", costMicros: 120 });
  provider.next({ status: 500 });
  expect(await codeOf(readAll(speak(services, speechOf(ownConnector.id))))).toBe("provider_down");
  expect(await codeOf(transcribe(services, recordingOf(ownConnector.id)))).toBe("paused");
});

test("recordings never exceed a budget", async () => {
  const poor = await connect(boss, provider, { speaks: true, monthlyBudget: 0.05 });
  expect(await transcribe(services, recordingOf(poor.id, makeTone(2)))).not.toBe("");
  const before = provider.requests.length;
  expect(await codeOf(transcribe(services, recordingOf(poor.id, makeTone(30))))).toBe("budget");
  expect(provider.requests).toHaveLength(before);
});

test("recordings are not sent where names are masked", async () => {
  const { company } = await make.classroom();
  await db.updateTable("companies").set({ maskNames: true }).where("id", "=", company.id).execute();
  const masked = { ...recordingOf(connector.id), companyId: company.id };
  expect(await codeOf(transcribe(services, masked))).toBe("not_allowed");
  expect(await codeOf(transcribe(services, { ...recordingOf(connector.id), visitorId: "visitor" }))).toBe(null);
});

test("a model without a price is unpriced, and not for visitors", async () => {
  const free = await connect(boss, provider, { models: voiceModels.map((model) => ({ ...model, prices: [] })) });
  await transcribe(services, recordingOf(free.id));
  expect(await lastCall("transcription")).toMatchObject({ costMicros: null, status: "done" });
  expect(await codeOf(transcribe(services, { ...recordingOf(free.id), visitorId: "v" }))).toBe("unpriced");
});
