import { type Commit, player, type Receipt, SESSION_HEADER } from "#shared/player.ts";
import type { ProblemBody } from "#shared/route.ts";

/**
 * What became of a commit: stored; a gap (`ackSeq` is what the server has); gone (the server does not know the session);
 * refused (it will never take this batch); or no answer, in which case it may or may not have been stored.
 */
export type Answer =
  { is: "stored"; receipt: Receipt } | { is: "gap"; ackSeq: number } | { is: "gone" | "refused" | "noAnswer" };

/** A request that hangs longer counts as no answer, in ms. */
const PATIENCE_MS = 15_000;
/** What a page that goes away may have in flight. */
const KEEPALIVE_CHARS = 50_000;

/** One commit over HTTP. Authorised by the session's own token, so it works after the sign-in has ended, too. */
export async function exchangeCommit(session: { sessionId: string; token: string }, commit: Commit): Promise<Answer> {
  const body = JSON.stringify(commit);
  try {
    const response = await fetch(player.commit.path.replace(":id", session.sessionId), {
      method: "POST",
      body,
      keepalive: body.length < KEEPALIVE_CHARS,
      credentials: "omit",
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
    });
    if (response.ok) return { is: "stored", receipt: (await response.json()) as Receipt };
    if (response.status === 409) {
      const problem = (await response.json()) as ProblemBody;
      if (problem.code === "player.gap") return { is: "gap", ackSeq: Number(problem.details?.ackSeq) };
    }
    if (response.status === 401 || response.status === 404) return { is: "gone" };
    if (response.status === 422 || response.status === 413) return { is: "refused" };
    return { is: "noAnswer" };
  } catch {
    return { is: "noAnswer" };
  }
}
