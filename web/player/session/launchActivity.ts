import { player, SESSION_HEADER } from "#shared/player/player.ts";

const TIMEOUT_MS = 15_000;
const RETRY_MS = 2000;
const MAX_RETRY_MS = 15_000;

/**
 * The address of a part that reports by statements, with what it needs for that, relative to the folder of its package.
 * Tries again without a response, as long as `isWanted`. Null if it is wanted no more, or the session has ended, which
 * its next commit says.
 */
export async function launchActivity(
  session: { sessionId: string; token: string },
  sco: string,
  isWanted: () => boolean,
): Promise<string | null> {
  for (let tries = 0; isWanted(); tries++) {
    try {
      const response = await fetch(player.launchActivity.path.replace(":id", encodeURIComponent(session.sessionId)), {
        method: "POST",
        body: JSON.stringify({ sco }),
        credentials: "omit",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
      });
      if (response.ok) return isWanted() ? ((await response.json()) as { href: string }).href : null;
      if (response.status < 500 && response.status !== 429) return null;
    } catch {
      // No response: the launch may have happened, and the next one ends it.
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** tries)));
  }
  return null;
}
