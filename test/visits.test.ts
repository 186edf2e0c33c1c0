import { expect, test } from "vitest";
import { committer } from "#test/commits.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { findDeviations, readVisits, visitsFiles } from "#test/adlCalls.ts";
import { start } from "#test/start.ts";
import { createRuntime } from "#web/shell/runtime.ts";

// Each visit in a session of its own: launch, the calls, commit. e2e/visits.spec.ts makes the same calls in the real
// player

const { as, make } = await start();
const send = committer(as);

test("answers ADL's 235 calls over visits, each visit in a new session", async () => {
  const { learner, company, course } = await make.classroom(visitsFiles());
  const deviations: string[] = [];
  let count = 0;
  for (const visit of readVisits()) {
    const { sco } = visit;
    const session = await make.launch(learner, company.id, course.id, { takeOver: true });
    const events: SessionEvent[] = [];
    const record = (event: Pick<SessionEvent, "type" | "key" | "value">) =>
      events.push({ seq: events.length + 1, t: events.length, sco, ...event });
    record({ type: "nav" });
    const { api } = await createRuntime("scorm2004", session.values[sco] ?? {}, () => null, {
      initialized: () => record({ type: "scorm.init" }),
      set: (key, value) => record({ type: "scorm.set", key, value }),
      committed: () => record({ type: "scorm.commit" }),
      terminated: () => record({ type: "scorm.terminate" }),
      isStopped: () => false,
    });
    const outcomes = visit.calls.map(({ name, args }): [string, string] => [
      String(api[name]?.(...args)),
      String(api.GetLastError?.()),
    ]);
    api.Terminate?.("");
    await send(session, { events, end: "exit" });
    deviations.push(...findDeviations(visit, outcomes));
    count += visit.calls.length;
  }
  expect(count).toBe(235);
  expect(deviations).toEqual([]);
}, 60_000);
