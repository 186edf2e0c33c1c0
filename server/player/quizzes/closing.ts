import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Db } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { createCommitWriter, isCompletion } from "#server/player/commitWriter.ts";
import { fold } from "#server/player/fold.ts";
import { readSessionState, type SessionState } from "#server/player/sessionState.ts";
import { GRACE_MS, NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { deadlineOf } from "#shared/lessons/quizState.ts";

const MAX_TRIES = 10;
/** What a commit without events changes besides parts. */
const NOTHING = {
  events: [],
  refused: [],
  suspendDataChanged: new Set<string>(),
  answers: [],
  values: [],
  activeDelta: 0,
  reportedDelta: 0,
  isPresent: false,
};

/** Ends the attempts at quizzes of a session whose time is over, for learners who have not come back. */
export const closeQuizzes = job(
  "player:closeQuizzes",
  z.object({ sessionId: z.uuid() }),
  async (services, { sessionId }) => {
    const { db, pool } = services;
    const { runWithin, request } = reactionsOf(services);
    const write = createCommitWriter(pool, db, runWithin);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const session = await readSessionState(db, sessionId);
      if (!session?.hasAccess) return;
      const quizzes = { now: Date.now(), isStored: false, draw: () => [] };
      const { attempt, changed } = fold(session.course, { ...session, quizzes }, [], false);
      // Who got more time meanwhile ends later.
      if (changed.size === 0) return scheduleEnds(db, { ...session, parts: new Map() }, session);
      const parts = new Map([...session.parts, ...changed]);
      const after = { ...session, rev: session.rev + 1, attempt, parts };
      const happenedAt = new Date(quizzes.now).toISOString();
      const applied = { ...NOTHING, session: after, changed, happenedAt };
      if (await write(session, applied)) {
        if (isCompletion(session, applied)) request();
        return;
      }
      await sleep(Math.random() * 4 * (tries + 1));
    }
    throw new Error("the attempt changes all the time");
  },
);

/** Until then the last answers may arrive. */
const AFTER_MS = GRACE_MS + 2000;

/** Has attempts ended for which a commit has set another end. */
export async function scheduleEnds(db: Db, before: SessionState, after: SessionState) {
  for (const [sco, { lesson }] of after.parts) {
    const open = lesson?.quiz?.open;
    if (!open || open === before.parts.get(sco)?.lesson?.quiz?.open) continue;
    const deadline = deadlineOf(open, after.course.extra?.get(sco) ?? NO_ALLOWANCE);
    if (deadline === null) continue;
    const key = `quiz ${after.attemptId} ${sco}`;
    await closeQuizzes.enqueue(db, { sessionId: after.sessionId }, { key, runAt: new Date(deadline + AFTER_MS) });
  }
}
