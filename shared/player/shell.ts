import type { CompletionRule, PackageKind } from "#shared/courses/completionRules.ts";
import type { Missing } from "#shared/recordings/missingKinds.ts";
import type { ButtonAnswer } from "#shared/prompts/buttonPrompts.ts";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";
import type { SequencingView } from "#shared/sequencing/view.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";

// Messages between the application page and the player shell. The two live on different origins; after a handshake with
// checked origins they communicate through a MessagePort.

/**
 * Handshake by `postMessage` with an exact target origin: the shell announces itself, the application sends it a port.
 */
export const SHELL_READY = "lyceum:shell";
export const SHELL_CONNECT = "lyceum:start";

/** What the shell needs to know about its session. The token authorizes commits of this session only. */
export type ShellSession = {
  sessionId: string;
  token: string;
  attemptId: string;
  /** The kind of its parts. */
  kind: PackageKind;
  /** The previous session of the attempt, if its page was in this window and may still be closing. */
  closingSessionId: string | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Highest `seq` assigned so far; a reloaded shell continues from there. */
  lastSeq: number;
  /** The variables of the course, with their values now. */
  variables: Launch["variables"];
  completion: { rule: CompletionRule; isComplete: boolean };
  /** The activity tree of a package with sequencing rules, as it is now; null for every other package. */
  sequencing: Launch["sequencing"];
  /** The texts that are masked in the recording of the page; null if it is not recorded. */
  recording: Launch["recording"];
};

/**
 * Why a recording ends before its session: the page or its changes are too large, the recording has reached its limit,
 * too much could not be sent, something failed, or it is no longer permitted.
 */
export type RecordingEnd = "tooLarge" | "full" | "offline" | "failed" | "withdrawn";

/** A part that is opened in a replay: nothing that happens in it is recorded or sent. */
export type ReviewSession = Pick<ShellSession, "kind" | "variables"> & {
  /** Random; separates what packages store in this browser. */
  reviewId: string;
};

/**
 * Unsent events of an earlier session that its shell has stored on the content origin. Each entry is a MAC and the
 * event as JSON, separated by a space (web/shell/unsentEntries.ts): only the shell of that session can have written it.
 */
export type UnsentEvents = { sessionId: string; entries: string[] };
/** The format of the previous version, which included the session token. */
export type UnsentBatch = { sessionId: string; token: string; events: SessionEvent[] };

export type ToShell =
  /** The unsent events of earlier sessions are in the journal: the shell deletes its copy. */
  | { type: "received" }
  /** Close the current part, so that its package sends its last values; answered by `left`. */
  | { type: "leave"; opening: number }
  /** `returnPath`: where content that reports by statements goes when it has ended its part. */
  | {
      type: "open";
      opening: number;
      sco: string;
      href: string;
      isSco: boolean;
      values: Record<string, string>;
      returnPath?: string;
    }
  /** Number an event that happened on the application page. */
  | { type: "record"; event: Pick<SessionEvent, "type" | "sco" | "key" | "value"> }
  /** All events up to `seq` are in the journal and survive the end of the tab. */
  | { type: "journaled"; seq: number }
  | { type: "stored"; seq: number; activeMs: number }
  /**
   * Sequencing rules: begin where the learner was, or with `wanted` if they allow it. `left`: the values of the part
   * that a closed tab has left open, null if that part reports nothing. Answered by `sequenced`.
   */
  | { type: "enter"; wanted: string | null; left: Record<string, string> | null }
  /** Sequencing rules: what the learner asks for. Answered by `sequenced`. */
  | { type: "navigate"; request: NavigationRequest; target: string | null }
  /** The session has ended: the SCORM API returns "false" from now on. */
  | { type: "stop" }
  /** The answer to `prompt` with the same number, or why there is none. */
  | { type: "answered"; call: number; answer: ButtonAnswer | null; code: string; message: string }
  /** The page must not be recorded any more. */
  | { type: "stopRecording" }
  | { type: "close" };

export type FromShell =
  | { type: "unsent"; batches: UnsentBatch[]; unsent: UnsentEvents[] }
  | { type: "events"; events: SessionEvent[]; urgent: boolean }
  | { type: "active" }
  | { type: "left"; opening: number }
  | { type: "opened"; sco: string }
  /** The package ended its part; `request` is its navigation request (adl.nav.request), or empty. */
  | { type: "terminated"; opening: number; sco: string; request: string }
  /** Content runs a button prompt, named by its key. */
  | { type: "prompt"; call: number; key: string; input: string }
  /**
   * Content opens a chatbot of the course by its id; null: the first one. `toggles`: the shortcut was pressed, which
   * also closes it.
   */
  | { type: "chat"; chatbotId: string | null; toggles: boolean }
  | { type: "recording"; isOn: boolean }
  /**
   * Sequencing rules: the part to open, or null. `isEnded`: the attempt on the package has ended; `isRefused`: the
   * rules do not allow what was asked for, and with `isStillOpen` the open part is still there; `isOwn`: the part has
   * ended by itself and asked for nothing.
   */
  | {
      type: "sequenced";
      delivered: string | null;
      isEnded: boolean;
      isRefused: boolean;
      isOwn: boolean;
      isStillOpen: boolean;
      view: SequencingView;
    }
  /** Sequencing rules: what they would allow if the open part ended now. */
  | { type: "allowed"; view: SequencingView }
  | { type: "closed" };

/**
 * Messages between the application page and the page that shows recordings, after a handshake like that of the shell.
 */
export type ToViewer =
  /** Chunks in order, as they are stored. */
  | { type: "chunks"; bodies: ArrayBuffer[] }
  /** All chunks were sent. */
  | { type: "loaded" }
  /** The position of the replay, in ms since the start of the session. */
  | { type: "position"; at: number; isPlaying: boolean; speed: number };

export type FromViewer =
  | { type: "ready" }
  /** Times of the recording in ms since the start of the session, and what is missing in it. */
  | { type: "shown"; from: number; to: number; missing: Missing }
  | { type: "refused"; reason: "tooLarge" | "broken" };
