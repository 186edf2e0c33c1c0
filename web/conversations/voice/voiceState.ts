/** What the microphone does. Answering and speaking are read from the conversation and from what is played. */
export type VoicePhase = "asks" | "ready" | "starting" | "listening" | "transcribing" | "checking";

/**
 * Why nothing was sent. `denied`, `missing`: the microphone; `short`, `silence`: nothing to write down; `hidden`: the
 * page was left; `kept`: voice was left; `offline`, `down`: the recording is kept and can be tried again; `refused`:
 * `text` says why; `mute`: an answer could not be spoken.
 */
export type VoiceProblem = {
  kind:
    "denied" | "missing" | "failed" | "short" | "silence" | "hidden" | "kept" | "offline" | "down" | "refused" | "mute";
  text?: string;
};

export type VoiceState = {
  phase: VoicePhase;
  problem: VoiceProblem | null;
  /** A recording that was not written down yet is kept in memory. */
  hasClip: boolean;
  isSpeaking: boolean;
  /** What was heard so far, or is to be checked. */
  heard: string;
  readsAloud: boolean;
  checks: boolean;
};

export const MAX_MS = 60_000;
/** A shorter recording is a press by mistake, in ms. */
export const MIN_MS = 300;
