/** State of the microphone. Whether the chatbot answers or speaks is derived from the conversation and the playback. */
export type VoicePhase = "asks" | "ready" | "starting" | "listening" | "transcribing" | "checking";

/**
 * Why nothing was sent. `denied`, `missing`: no microphone; `short`, `silence`: nothing to transcribe; `hidden`: the
 * page was hidden; `kept`: voice mode was left; `offline`, `down`: the recording is kept for another attempt;
 * `refused`: `text` has the reason; `mute`: an answer could not be spoken.
 */
export type VoiceProblem = {
  kind:
    "denied" | "missing" | "failed" | "short" | "silence" | "hidden" | "kept" | "offline" | "down" | "refused" | "mute";
  text?: string;
};

export type VoiceState = {
  phase: VoicePhase;
  problem: VoiceProblem | null;
  /** A recording that was not transcribed yet is kept in memory. */
  hasClip: boolean;
  isSpeaking: boolean;
  /** The transcript so far, or the one to be checked. */
  heard: string;
  readsAloud: boolean;
  checks: boolean;
};

export const MAX_MS = 60_000;
/** A shorter recording counts as an accidental press, in ms. */
export const MIN_MS = 300;
