import Bowser from "bowser";
import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { conflict } from "#server/core/http/problem.ts";
import type { CourseInCompany } from "#server/player/launchTarget.ts";
import { hasEvents } from "#server/player/sessionState.ts";
import type { player } from "#shared/player/player.ts";
import { HEARTBEAT_INTERVAL_MS } from "#shared/player/playerTiming.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export type LaunchInput = BodyOf<typeof player.launch>;

/**
 * A window is active for this long after its last commit. Later (a closed laptop, for example), another window takes
 * over without asking.
 */
const ACTIVE_WINDOW_MS = HEARTBEAT_INTERVAL_MS * 2 + 5000;

type NewSession = { attemptId: string; tokenHash: string; userAgent: string; preview: boolean };

/**
 * Opens a session of an attempt and closes the previous session of the same user and course, even of another attempt:
 * there is at most one open session per user and course. Throws 409 if another window is active and `takeOver` is not
 * set.
 */
export async function openSession(
  tx: Tx,
  user: User,
  { companyId, courseId }: CourseInCompany,
  input: LaunchInput,
  { attemptId, tokenHash, userAgent, preview }: NewSession,
) {
  const previous = await tx
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .where("attempts.userId", "=", user.id)
    .where("attempts.courseId", "=", courseId)
    .where("attempts.preview", "=", preview)
    .where("endedAt", "is", null)
    .orderBy("sessions.startedAt", "desc")
    .select([
      "sessions.id",
      "sessions.attemptId",
      "sessions.lastSeq",
      hasEvents("sessions").as("hasEvents"),
      "clientId",
      "sessions.startedAt",
      "lastSeenAt",
      "device",
    ])
    .executeTakeFirst();
  if (previous) {
    const isActive = Date.now() - Date.parse(previous.lastSeenAt) < ACTIVE_WINDOW_MS;
    const isSameWindow = previous.clientId === input.clientId;
    if (isActive && !isSameWindow && !input.takeOver) {
      throw conflict("player.openElsewhere", {
        sessionId: previous.id,
        startedAt: previous.startedAt,
        device: describeDevice(previous.device),
      });
    }
    const isUnused = isSameWindow && !previous.hasEvents;
    if (input.orphan && isUnused && previous.attemptId === attemptId)
      return tx
        .updateTable("sessions")
        .set({ tokenHash, startedAt: sql`clock_timestamp()`, lastSeenAt: sql`clock_timestamp()` })
        .where("id", "=", previous.id)
        .returning(["id", "startedAt"])
        .executeTakeFirstOrThrow();
    await tx
      .updateTable("sessions")
      .set({ endedAt: sql`now()`, endReason: endReasonOf(isActive, input.orphan || isSameWindow) })
      .where("id", "=", previous.id)
      .execute();
  }
  await tx
    .updateTable("attempts")
    .set((e) => ({ rev: e("rev", "+", 1) }))
    .where("id", "in", [attemptId, ...(previous ? [previous.attemptId] : [])])
    .execute();
  const { browser, os } = Bowser.parse(userAgent || "unknown");
  const device = { browser: browser.name ?? "", os: os.name ?? "", viewport: input.viewport };
  // now() would be the start of the transaction, but this session must be newer than the one that was just closed.
  return tx
    .insertInto("sessions")
    .values({
      attemptId,
      userId: user.id,
      companyId,
      tokenHash,
      clientId: input.clientId,
      device: JSON.stringify(device),
      startedAt: sql`clock_timestamp()`,
    })
    .returning(["id", "startedAt"])
    .executeTakeFirstOrThrow();
}

/** A closed page may still have events on their way, which count until the new session has written. */
function endReasonOf(isActive: boolean, isClosed: boolean) {
  if (isClosed) return "tab_closed";
  return isActive ? "superseded" : "timeout";
}

/** `Chrome on Windows`. */
export const describeDevice = ({ browser, os }: { browser?: string; os?: string }) =>
  [browser, os].filter(Boolean).join(" on ") || "an unknown device";
