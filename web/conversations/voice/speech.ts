import type { Sentence } from "#shared/core/sentences.ts";

/** Loads the speech of a part of an answer. */
export type LoadSpeech = (
  turnId: string,
  part: { from: number; to: number },
  signal: AbortSignal,
) => Promise<ArrayBuffer>;
type Hooks = { load: LoadSpeech | null; onChange: (isSpeaking: boolean) => void; onFailure: () => void };
type Item = { turnId: string; sentence: Sentence; sound: Promise<AudioBuffer | null> | null };

/** Sentences whose speech is loaded ahead. */
const AHEAD = 2;
export type Speech = ReturnType<typeof createSpeech>;

/** Speaks sentences in order: with the provider's voice, or, without `load`, with the browser's. */
export function createSpeech({ load, onChange, onFailure }: Hooks) {
  let queue: Item[] = [];
  let isRunning = false;
  let stopping = new AbortController();
  let context: AudioContext | null = null;

  const fetchSound = async ({ turnId, sentence }: Item, signal: AbortSignal) => {
    if (!load) return null;
    const bytes = await load(turnId, sentence, signal);
    return audio().decodeAudioData(bytes);
  };
  const audio = () => (context ??= new AudioContext());
  function prepare() {
    const { signal } = stopping;
    for (const item of queue.slice(0, AHEAD)) {
      item.sound ??= fetchSound(item, signal);
      item.sound.catch(() => {});
    }
  }
  const playSound = (sound: AudioBuffer, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const source = audio().createBufferSource();
      source.buffer = sound;
      source.connect(audio().destination);
      source.addEventListener("ended", () => resolve());
      signal.addEventListener("abort", () => (source.stop(), resolve()), { once: true });
      source.start();
    });
  const readAloud = (text: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.addEventListener("end", () => resolve());
      utterance.addEventListener("error", ({ error }) =>
        error === "canceled" || error === "interrupted" ? resolve() : reject(new Error(error)),
      );
      signal.addEventListener("abort", () => (speechSynthesis.cancel(), resolve()), { once: true });
      speechSynthesis.speak(utterance);
    });
  async function run() {
    if (isRunning) return;
    isRunning = true;
    const { signal } = stopping;
    onChange(true);
    try {
      for (let item = queue[0]; item && !signal.aborted; item = queue[0]) {
        prepare();
        const sound = await item.sound;
        if (signal.aborted) break;
        await (sound ? playSound(sound, signal) : readAloud(item.sentence.text, signal));
        if (!signal.aborted) queue.shift();
      }
    } catch {
      if (!signal.aborted) {
        queue = [];
        onFailure();
      }
    } finally {
      isRunning = false;
      if (queue.length > 0) void run();
      else onChange(false);
    }
  }
  return {
    /** Call it on a click or key press: browsers play sound only after one. */
    unlock() {
      if (load) void audio().resume();
    },
    add(turnId: string, sentences: Sentence[]) {
      queue.push(...sentences.map((sentence) => ({ turnId, sentence, sound: null })));
      prepare();
      if (queue.length > 0) void run();
    },
    /** Stops immediately and drops the waiting sentences. */
    stop() {
      queue = [];
      stopping.abort();
      stopping = new AbortController();
    },
    close() {
      queue = [];
      stopping.abort();
      if (context && context.state !== "closed") void context.close();
    },
  };
}
