import type { Page } from "@playwright/test";
import { readAudio } from "#server/connectors/voice/audioFormat.ts";
import { makeTone } from "#server/connectors/voice/voiceTest.ts";
import { expectAccessible } from "./axe.ts";
import { addBot, addModel, field, openChat } from "./chatFixture.ts";
import { addLearner, expect, test } from "./server.ts";
import { listening, panel, shoot, stage, talk, transcript, withMicrophone } from "./voiceFixture.ts";

// Conversations by voice

test.use({ launchOptions: withMicrophone });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

type Microphone = { streams: MediaStream[]; failure?: string };
/** Remembers what was opened of the microphone, which can be made to fail. */
const watchMicrophone = (page: Page) =>
  page.addInitScript(() => {
    const own = globalThis as unknown as { microphone: Microphone };
    own.microphone = { streams: [] };
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      if (own.microphone.failure) throw new DOMException("refused", own.microphone.failure);
      const stream = await open(wanted);
      own.microphone.streams.push(stream);
      return stream;
    };
  });
const breakMicrophone = (page: Page, failure: string) =>
  page.evaluate(
    (name) => void ((globalThis as unknown as { microphone: Microphone }).microphone.failure = name),
    failure,
  );
const isMicrophoneOff = (page: Page) =>
  page.evaluate(() => {
    const { streams } = (globalThis as unknown as { microphone: Microphone }).microphone;
    return (
      streams.length > 0 && streams.every((one) => one.getTracks().every(({ readyState }) => readyState === "ended"))
    );
  });
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

test("a learner speaks in a role play by keyboard: hears, interrupts, corrects", async ({ browser, app }) => {
  const { provider, connectorId } = await addModel(app, "Voice of the customer", true);
  const bot = await addBot(app, "Customer", { connectorId, pedagogy: "rolePlay", voice: { isOn: true } });
  const learner = await addLearner(app);
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  await watchMicrophone(page);
  await page.reload();
  await expect(field(page, "Customer")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Speak" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(talk(page)).toBeFocused();
  await stage(page, "Ready");
  await expectAccessible(page, "ready");
  await shoot(page, "voice-ready");

  // Held
  provider.next({ heard: "My parcel has not arrived.", delay: 1500 });
  provider.next({ text: ["I am sorry to hear that. ", "When ", "did ", "you ", "order ", "it? "], delay: 400 });
  provider.next({ audio: [makeTone(3)] });
  await page.keyboard.down(" ");
  await listening(page);
  await expect(talk(page)).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page, "listening");
  await shoot(page, "voice-listening");
  await page.keyboard.up(" ");
  await stage(page, "Transcribing");
  await expectAccessible(page, "transcribing");
  await shoot(page, "voice-transcribing");
  await expect(transcript(page)).toContainText("My parcel has not arrived.");
  await expect(transcript(page).getByText("spoken")).toBeVisible();
  expect(await isMicrophoneOff(page)).toBe(true);
  await stage(page, "Speaking");
  await expect(transcript(page)).toContainText("When did you order it?");
  await expectAccessible(page, "speaking");
  await shoot(page, "voice-speaking");
  const sent = provider.requests.filter(({ path }) => path === "/audio/speech").map(({ body }) => body);
  expect(sent.slice(-2)).toMatchObject([{ input: "I am sorry to hear that." }, { input: "When did you order it?" }]);
  const [recording] = provider.requests.flatMap(({ recording: file }) => file ?? []).slice(-1);
  expect(recording?.type).toBe("audio/webm");
  const { seconds } = readAudio(new Uint8Array((await recording?.arrayBuffer()) ?? [])) ?? {};
  expect(seconds).toBeGreaterThan(0.3);
  expect(seconds).toBeLessThan(30);
  await stage(page, "Ready");

  // Tapped; the next press interrupts the answer
  provider.next({ heard: "Last week." });
  provider.next({ text: Array.from({ length: 200 }, (_, at) => `word${at} `), delay: 100 });
  await page.keyboard.press("Enter");
  await listening(page);
  await page.keyboard.press("Enter");
  await stage(page, "Answering");
  await expect(transcript(page)).toContainText("word2");
  await expectAccessible(page, "answering");
  await shoot(page, "voice-answering");
  await page.keyboard.down(" ");
  await stage(page, "Listening");
  await expect(transcript(page)).toContainText("You stopped this answer.");
  await page.keyboard.press("Escape");
  await page.keyboard.up(" ");
  await stage(page, "Ready");
  expect(await isMicrophoneOff(page)).toBe(true);

  // A press silences what is being spoken
  provider.next({ heard: "Hello?" }, { text: ["A very long sentence. "] }, { audio: [makeTone(60)] });
  await page.keyboard.press("Enter");
  await listening(page);
  await page.keyboard.press("Enter");
  await stage(page, "Speaking");
  await page.keyboard.down(" ");
  await stage(page, "Listening");
  await page.keyboard.press("Escape");
  await page.keyboard.up(" ");
  await stage(page, "Ready");

  // Checked before it is sent
  await page.getByRole("switch", { name: "Check before sending" }).focus();
  await page.keyboard.press(" ");
  provider.next({ heard: "I want my many back" });
  await talk(page).focus();
  await page.keyboard.press("Enter");
  await listening(page);
  await page.keyboard.press("Enter");
  const heard = page.getByRole("textbox", { name: "Check the transcript" });
  await expect(heard).toHaveValue("I want my many back");
  await expect(heard).toBeFocused();
  await expectAccessible(page, "checking");
  await shoot(page, "voice-checking");
  await heard.fill("I want my money back");
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("I want my money back");
  await page.getByRole("button", { name: "Type instead" }).focus();
  await page.keyboard.press("Enter");
  await expect(field(page, "Customer")).toBeVisible();
  await context.close();
  await provider.stop();
});

test(
  "a phone loses no recording: provider down, page hidden, microphone missing",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { provider, connectorId } = await addModel(app, "Voice of the guide", true);
    const bot = await addBot(app, "Guide", { connectorId, voice: { isOn: true } });
    const learner = await addLearner(app);
    const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner, PHONE);
    await watchMicrophone(page);
    await page.reload();
    await page.getByRole("button", { name: "Speak" }).tap();
    await stage(page, "Ready");
    await expectAccessible(page, "ready on a phone");
    await shoot(page, "voice-phone-ready");

    provider.next({ status: 500 });
    await talk(page).tap();
    await listening(page);
    await talk(page).tap();
    await expect(panel(page)).toContainText("The recording is kept here");
    await expectAccessible(page, "provider down");
    await shoot(page, "voice-phone-down");
    provider.next({ heard: "Where is the canteen?" });
    await page.getByRole("button", { name: "Try again" }).tap();
    await expect(transcript(page)).toContainText("Where is the canteen?");
    await stage(page, "Ready");

    await talk(page).tap();
    await listening(page);
    await hide(page, true);
    await expect.poll(() => isMicrophoneOff(page)).toBe(true);
    await hide(page, false);
    await expect(panel(page)).toContainText("What you said before that is kept here.");
    await page.getByRole("button", { name: "Type instead" }).tap();
    await page.getByRole("button", { name: "Speak" }).tap();
    await expect(panel(page)).toContainText("A recording has not been sent yet.");
    await shoot(page, "voice-phone-kept");
    provider.next({ heard: "And the gym?" });
    await page.getByRole("button", { name: "Send it" }).tap();
    await expect(transcript(page)).toContainText("And the gym?");
    await stage(page, "Ready");

    await talk(page).tap();
    await listening(page);
    await context.setOffline(true);
    await talk(page).tap();
    await expect(panel(page)).toContainText("You are offline. What you said is kept here");
    await stage(page, "Not sent yet");
    await expectAccessible(page, "offline");
    await shoot(page, "voice-phone-offline");
    await context.setOffline(false);
    provider.next({ heard: "And the car park?" });
    await page.getByRole("button", { name: "Try again" }).tap();
    await expect(transcript(page)).toContainText("And the car park?");
    await stage(page, "Ready");

    await breakMicrophone(page, "NotAllowedError");
    await talk(page).tap();
    await expect(panel(page)).toContainText("The browser is not allowed to use the microphone.");
    await expectAccessible(page, "refused");
    await shoot(page, "voice-phone-denied");
    await breakMicrophone(page, "NotFoundError");
    await talk(page).tap();
    await expect(panel(page)).toContainText("No microphone was found.");
    await page.getByRole("button", { name: "Type instead" }).tap();
    await field(page, "Guide").fill("Then I type");
    await page.getByRole("button", { name: "Send" }).tap();
    await expect(transcript(page)).toContainText("Then I type");
    await context.close();
    await provider.stop();
  },
);

test("without a provider, the browser listens after a notice, never in embedded chats", async ({ browser, app }) => {
  const scene = [
    { id: "start", says: "You are late again.", choices: [{ label: "I am sorry", to: "end", words: ["sorry"] }] },
    { id: "end", says: "Thank you for saying so.", reachesGoal: true },
  ];
  const bot = await addBot(app, "Manager", {
    pedagogy: "scene",
    scene,
    access: "public",
    dictation: true,
    voice: { isOn: true, forVisitors: true },
  });
  const learner = await addLearner(app);
  const { page, context } = await openChat(browser, `${app.url}/chatbot/${bot.id}`, learner);
  await page.addInitScript(() => {
    const own = globalThis as unknown as Record<string, unknown>;
    own.SpeechRecognition = undefined;
    own.webkitSpeechRecognition = class extends EventTarget {
      start() {
        const heard = { results: [[{ transcript: "Well, I am really sorry" }]] };
        setTimeout(() => this.dispatchEvent(Object.assign(new Event("result"), heard)), 200);
      }
      stop() {
        this.dispatchEvent(new Event("end"));
      }
      abort() {}
    };
  });
  await page.reload();
  await page.getByRole("button", { name: "Speak" }).click();
  await expect(panel(page)).toContainText("What you say leaves this device");
  await expect(talk(page)).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page, "before the browser listens");
  await shoot(page, "voice-browser-asks");
  await page.getByRole("button", { name: "Let the browser listen" }).click();
  await talk(page).click();
  await expect(panel(page)).toContainText("Well, I am really sorry");
  await shoot(page, "voice-browser-listening");
  await talk(page).click();
  await expect(transcript(page)).toContainText("Thank you for saying so.");
  await expect(transcript(page).getByText("spoken")).toBeVisible();
  await expect(page.getByText("You have reached the goal.", { exact: false })).toBeVisible();

  const embedded = await page.request.get(`${app.url}/chatbot/${bot.id}?embed=1`);
  expect(embedded.headers()["permissions-policy"]).toContain("microphone=()");
  await page.goto(`${app.url}/chatbot/${bot.id}?embed=1`);
  await expect(field(page, "Manager")).toBeVisible();
  await expect(page.getByRole("button", { name: "Speak" })).toHaveCount(0);
  await context.close();
});
