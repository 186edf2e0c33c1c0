import { ApiError } from "#web/core/http/http.ts";
import { createStore } from "#web/core/store.ts";
import type { Chat } from "#web/conversations/chat.ts";
import { agreement, type Listening, startRecognition } from "#web/conversations/voice/recognition.ts";
import { type Recorder, startRecorder } from "#web/conversations/voice/recorder.ts";
import { createSpeech } from "#web/conversations/voice/speech.ts";
import { MAX_MS, MIN_MS, type VoiceProblem, type VoiceState } from "#web/conversations/voice/voiceState.ts";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { isOpenState, MAX_SPOKEN_CHARS } from "#shared/conversations/conversations.ts";
import type { Sentence } from "#shared/core/sentences.ts";

export type VoiceSession = ReturnType<typeof createVoiceSession>;
type Mode = NonNullable<PublicBot["voice"]>;

/** Unsent recordings of people who went back to writing, kept in memory until they return to voice mode. */
const kept = new WeakMap<Chat, Blob>();

/** Voice mode: records while the button is pressed, sends the transcript, and speaks the answers. */
export function createVoiceSession(chat: Chat, { hears, speaks, checks }: Mode) {
  const store = createStore<VoiceState>({
    phase: hears === "browser" && !agreement.isGiven() ? "asks" : "ready",
    problem: kept.has(chat) ? { kind: "kept" } : null,
    hasClip: kept.has(chat),
    isSpeaking: false,
    heard: "",
    readsAloud: true,
    checks,
  });
  const update = (changes: Partial<VoiceState>) => store.set({ ...store.get(), ...changes });
  const fail = (kind: VoiceProblem["kind"], text?: string) =>
    update({ phase: "ready", problem: { kind, ...(text !== undefined && { text }) } });
  const speech = createSpeech({
    load: speaks === "provider" ? chat.client.loadSpeech : null,
    onChange: (isSpeaking) => update({ isSpeaking }),
    onFailure: () => update({ problem: { kind: "mute" } }),
  });
  /** Interrupted answers, whose rest is not spoken. */
  const silenced = new Set<string>();
  let recorder: Recorder | null = null;
  let listening: Listening | null = null;
  let clip: Blob | null = kept.get(chat) ?? null;
  kept.delete(chat);
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending = new AbortController();
  let isClosed = false;

  function interrupt() {
    speech.stop();
    const turns = chat.state.get().conversation?.turns ?? [];
    for (const { id } of turns) silenced.add(id);
    if (turns.some(({ state }) => isOpenState(state))) void chat.stopAnswer();
  }
  function accept(text: string) {
    if (text === "") return fail("silence");
    if (store.get().checks) return update({ phase: "checking", heard: text });
    update({ phase: "ready", heard: "" });
    return chat.send(text, undefined, true);
  }
  async function writeDown(recording: Blob) {
    clip = recording;
    sending = new AbortController();
    const { signal } = sending;
    update({ phase: "transcribing", problem: null, hasClip: true });
    try {
      const text = await chat.client.transcribe(recording, signal);
      clip = null;
      update({ hasClip: false });
      accept(text);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError) || error.status === 0) fail("offline");
      else if (error.status >= 500) fail("down");
      else {
        // A second attempt would be rejected, too.
        if (error.status === 413 || error.status === 415) clip = null;
        update({ hasClip: clip !== null });
        const { text } = error.details;
        fail("refused", typeof text === "string" && text ? text : error.message);
      }
    }
  }
  function startedListening() {
    startedAt = performance.now();
    timer = setTimeout(() => void finish(), MAX_MS);
    update({ phase: "listening" });
  }
  async function listen() {
    if (hears === "browser") {
      listening = startRecognition({
        onText: (heard) => update({ heard }),
        onEnd: (failure) => {
          listening = null;
          clearTimeout(timer);
          if (failure) fail(failure);
          else accept(store.get().heard.trim());
        },
      });
      return startedListening();
    }
    update({ phase: "starting" });
    try {
      const opened = await startRecorder();
      // Voice mode was left, hidden or cancelled meanwhile.
      if (isClosed || store.get().phase !== "starting") return opened.discard();
      recorder = opened;
      return startedListening();
    } catch (error) {
      const isMissing = error instanceof DOMException && error.name === "NotFoundError";
      const isDenied = error instanceof DOMException && error.name === "NotAllowedError";
      const found = isDenied ? "denied" : "failed";
      return fail(isMissing ? "missing" : found);
    }
  }
  async function finish() {
    clearTimeout(timer);
    if (listening) return listening.stop();
    if (!recorder) return;
    const recording = await takeRecording();
    if (recording) await writeDown(recording);
    else fail("short");
  }
  /** Ends the recording; null if it is too short to hold a word. */
  async function takeRecording() {
    const length = performance.now() - startedAt;
    const ending = recorder;
    recorder = null;
    const recording = ending && (await ending.finish());
    return recording && recording.size > 0 && length >= MIN_MS ? recording : null;
  }
  /** Ends listening without sending anything. */
  function discard() {
    clearTimeout(timer);
    recorder?.discard();
    recorder = null;
    listening?.abort();
    listening = null;
    sending.abort();
    clip = null;
    update({ phase: "ready", hasClip: false, heard: "", problem: null });
  }
  /** Releases the microphone when the page is hidden; the recording so far is kept. */
  async function onHide() {
    if (!document.hidden) return;
    speech.stop();
    if (store.get().phase === "starting") update({ phase: "ready" });
    if (listening) {
      clearTimeout(timer);
      listening.abort();
      listening = null;
      const heard = store.get().heard.trim();
      update({ phase: heard ? "checking" : "ready" });
    }
    if (!recorder) return;
    clearTimeout(timer);
    clip = await takeRecording();
    update({ phase: "ready", hasClip: clip !== null, problem: clip && { kind: "hidden" } });
  }
  const onVisibility = () => void onHide();
  document.addEventListener("visibilitychange", onVisibility);

  return {
    state: store,
    level: () => recorder?.level() ?? 0,
    agree() {
      agreement.give();
      update({ phase: "ready" });
    },
    /** Starts recording, and ends the current speech and answer. */
    press() {
      const { phase, hasClip } = store.get();
      if (phase !== "ready" || hasClip) return;
      interrupt();
      speech.unlock();
      update({ problem: null, heard: "" });
      void listen();
    },
    finish,
    discard,
    retry: () => void (clip && writeDown(clip)),
    edit: (heard: string) => update({ heard }),
    sendHeard() {
      const text = store.get().heard.trim();
      update({ phase: "ready", heard: "" });
      if (text) chat.send(text, undefined, true);
    },
    silence() {
      interrupt();
    },
    speak(turnId: string, whole: Sentence[]) {
      const sentences = whole.flatMap(splitLong);
      const { phase, readsAloud } = store.get();
      if (!readsAloud || document.hidden || silenced.has(turnId) || phase === "listening" || phase === "starting")
        return;
      speech.add(turnId, sentences);
    },
    setReadsAloud(readsAloud: boolean) {
      if (!readsAloud) speech.stop();
      update({ readsAloud });
    },
    setChecks: (next: boolean) => update({ checks: next }),
    /** An unsent transcript becomes the draft. */
    close() {
      const { phase, heard } = store.get();
      if (phase === "checking" || (listening && heard)) chat.type(heard);
      isClosed = true;
      const keep = (recording: Blob | null) => void (recording && kept.set(chat, recording));
      if (recorder) void takeRecording().then(keep);
      else keep(clip);
      document.removeEventListener("visibilitychange", onVisibility);
      discard();
      speech.close();
    },
  };
}

/** Splits a long sentence into parts that can be spoken at once. */
function splitLong({ text, from, to }: Sentence): Sentence[] {
  if (to - from <= MAX_SPOKEN_CHARS) return [{ text, from, to }];
  const middle = from + MAX_SPOKEN_CHARS;
  return [
    { text: text.slice(0, MAX_SPOKEN_CHARS), from, to: middle },
    ...splitLong({ text: text.slice(MAX_SPOKEN_CHARS), from: middle, to }),
  ];
}
