import type { SessionEvent } from "#shared/player.ts";

// What the application page and the player shell say to each other. They live on two origins; after a handshake with
// checked origins they talk through a MessagePort of their own. The variables bridge and the recorder will add messages here.

/** The first words, by `postMessage` with an exact target origin: the shell is there; the application hands it a port. */
export const HELLO = "lyceum:shell";
export const WELCOME = "lyceum:start";

/** What the shell needs to know of its session. The token opens this session's commits and nothing else. */
export type ShellSession = {
  sessionId: string;
  token: string;
  attemptId: string;
  kind: "scorm12" | "scorm2004" | "html";
  startedAt: number;
  /** Highest number given so far: a shell that was reloaded goes on from there. */
  lastSeq: number;
};

/** Events that a closing tab could not be sure to have sent; the next shell on this browser finds them. */
export type Tail = { sessionId: string; token: string; events: SessionEvent[] };

export type ToShell =
  | { say: "open"; opening: number; sco: string; href: string; isSco: boolean; values: Record<string, string> }
  /** Number an event that happened on the application page. */
  | { say: "record"; event: Pick<SessionEvent, "type" | "sco" | "key" | "value"> }
  | { say: "stored"; seq: number; activeMs: number }
  /** The session is over for good: the run-time answers "false" from now on. */
  | { say: "stop" }
  | { say: "close" };

export type FromShell =
  | { say: "tails"; tails: Tail[] }
  | { say: "events"; events: SessionEvent[]; urgent: boolean }
  | { say: "active" }
  | { say: "opened"; sco: string }
  /** The package ended its part; `request` is its navigation wish (adl.nav.request), empty when it has none. */
  | { say: "terminated"; opening: number; sco: string; request: string }
  | { say: "closed" };
