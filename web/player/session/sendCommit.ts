import { type Commit, player, type Receipt, SESSION_HEADER } from "#shared/player/player.ts";
import type { ProblemBody } from "#shared/core/route.ts";

/**
 * Outcome of a commit: stored; a gap (`ackSeq` is the highest number the server has); the session is unknown; rejected
 * (the server will never accept this batch); or no response, in which case it may or may not have been stored.
 */
export type CommitOutcome =
  | { status: "stored"; receipt: Receipt }
  | { status: "gap"; ackSeq: number }
  | { status: "unknownSession" | "rejected" | "noResponse" };

const TIMEOUT_MS = 15_000;
/** Browsers limit the body of keepalive requests, which outlive their page, to 64 KiB. */
const MAX_KEEPALIVE_CHARS = 50_000;

/**
 * Sends one commit. The id may come from the content origin, where packages can write it, so it must not lead to
 * another path. Authorized by the session token, so it also works after the user has signed out.
 */
export async function sendCommit(
  session: { sessionId: string; token: string },
  commit: Commit,
): Promise<CommitOutcome> {
  const body = JSON.stringify(commit);
  try {
    const response = await fetch(player.commit.path.replace(":id", encodeURIComponent(session.sessionId)), {
      method: "POST",
      body,
      keepalive: body.length < MAX_KEEPALIVE_CHARS,
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
    });
    if (response.ok) return { status: "stored", receipt: (await response.json()) as Receipt };
    if (response.status === 409) {
      const problem = (await response.json()) as ProblemBody;
      if (problem.code === "player.gap") return { status: "gap", ackSeq: Number(problem.details?.ackSeq) };
    }
    if (response.status === 401 || response.status === 404) return { status: "unknownSession" };
    if (response.status === 422 || response.status === 413) return { status: "rejected" };
    return { status: "noResponse" };
  } catch {
    return { status: "noResponse" };
  }
}
