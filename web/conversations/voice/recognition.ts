/** The part of the Web Speech API that is used here. */
type Recognition = {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  addEventListener(
    type: "result",
    listener: (event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void,
  ): void;
  addEventListener(type: "error", listener: (event: { error: string }) => void): void;
  addEventListener(type: "end", listener: () => void): void;
  start: () => void;
  abort: () => void;
  stop: () => void;
};
type Browser = { SpeechRecognition?: new () => Recognition; webkitSpeechRecognition?: new () => Recognition };
const recognitionOf = (browser: Browser) => browser.SpeechRecognition ?? browser.webkitSpeechRecognition;
export const canListen = () => recognitionOf(globalThis as Browser) !== undefined;

/** Whether the person has accepted on this page that their voice leaves the device. */
let hasAgreed = false;
export const agreement = {
  isGiven: () => hasAgreed,
  give: () => {
    hasAgreed = true;
  },
};

type Hooks = {
  /** Called with the complete transcript so far. */
  onText: (text: string) => void;
  /** Called when recognition ends by itself or because of a failure. */
  onEnd: (failure: "denied" | "failed" | null) => void;
};
export type Listening = ReturnType<typeof startRecognition>;

/**
 * Starts speech recognition of the browser. `abort` discards what has not been recognised yet; `stop` still delivers
 * it.
 */
export function startRecognition({ onText, onEnd }: Hooks) {
  const Recognition = recognitionOf(globalThis as Browser);
  if (!Recognition) throw new Error("this browser has no speech recognition");
  const recognition = new Recognition();
  let isOpen = true;
  const end = (failure: "denied" | "failed" | null) => {
    if (!isOpen) return;
    isOpen = false;
    recognition.abort();
    onEnd(failure);
  };
  recognition.lang = navigator.language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.addEventListener("result", ({ results }) => {
    if (isOpen) onText(Array.from(results, (result) => result[0]?.transcript.trim() ?? "").join(" "));
  });
  recognition.addEventListener("error", ({ error }) => {
    if (error === "no-speech" || error === "aborted") return;
    end(error === "not-allowed" || error === "audio-capture" ? "denied" : "failed");
  });
  recognition.addEventListener("end", () => end(null));
  recognition.start();
  return {
    stop: () => recognition.stop(),
    abort: () => {
      isOpen = false;
      recognition.abort();
    },
  };
}
