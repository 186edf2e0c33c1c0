import type { SessionLesson } from "#shared/player/lessons.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";

const TIMEOUT_MS = 20_000;

/** A lesson of a running session; null if it cannot be reached. Authorized by the session token, like commits. */
export async function fetchLesson(
  { sessionId, token }: { sessionId: string; token: string },
  sco: string,
): Promise<SessionLesson | null> {
  try {
    const path = player.lesson.path.replace(":id", sessionId).replace(":sco", encodeURIComponent(sco));
    const response = await fetch(path, {
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { [SESSION_HEADER]: token },
    });
    return response.ok ? ((await response.json()) as SessionLesson) : null;
  } catch {
    return null;
  }
}
