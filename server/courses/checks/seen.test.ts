import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { ENOUGH_SESSIONS, packageChecks } from "#shared/courses/packageChecks.ts";
import { player, type SessionEvent } from "#shared/player/player.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { script } from "#test/packageFolder.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db, app } = server;
type Launched = { sessionId: string; token: string };
const send = async ({ sessionId, token }: Launched, events: Omit<SessionEvent, "seq" | "t">[], end = false) => {
  const reply = await app.inject({
    method: "POST",
    url: player.commit.path.replace(":id", sessionId),
    headers: { "x-session-token": token },
    payload: { events: events.map((event, at) => ({ ...event, seq: at + 1, t: at })), ...(end && { end: "exit" }) },
  });
  expect(reply.statusCode).toBe(200);
};
const set = (key: string, value: string) => ({ type: "scorm.set" as const, sco: "i1", key, value });

test("ten sessions of learners show which signals came, and which differ", async () => {
  const { admin, learner, company, course } = await make.classroom({
    "imsmanifest.xml": manifest12(),
    "index.html": script(`API.LMSInitialize(""); API.LMSSetValue("cmi.core.score.raw", s)
API.LMSSetValue("cmi.core.lesson_status", "completed")`),
  });
  const { id: packageId } = await db.selectFrom("courseVersions").select("id").executeTakeFirstOrThrow();
  const params = { id: course.id, packageId };
  await as(admin)(packageChecks.get, { params });
  const seen = async () => (await as(admin)(packageChecks.seen, { params })).body;
  expect(await seen()).toEqual({ sessions: 0, signals: [] });
  for (let n = 0; n < ENOUGH_SESSIONS; n++) {
    if (n === ENOUGH_SESSIONS - 1) expect(await seen()).toEqual({ sessions: n, signals: [] });
    const launched = await make.launch(learner, company.id, course.id, { clientId: randomUUID(), takeOver: true });
    await send(
      launched,
      [
        set("cmi.core.lesson_status", n === 3 ? "completed" : "incomplete"),
        set("cmi.suspend_data", n === 5 ? "half \ud800 a pair" : `page ${n}`),
        ...(n === 4 ? [set("cmi.comments", "\u0000")] : []),
      ],
      true,
    );
  }
  // A preview by an admin does not count.
  const preview = await make.launch(admin, company.id, course.id);
  await send(preview, [set("cmi.core.score.raw", "80")]);
  const { sessions, signals } = await seen();
  expect(sessions).toBe(10);
  const of = (kind: string) => signals.find((one) => one.kind === kind);
  expect(of("completed")).toEqual({ kind: "completed", predicted: "yes", count: 1, differs: false });
  expect(of("score")).toEqual({ kind: "score", predicted: "yes", count: 0, differs: true });
  expect(of("memory")).toMatchObject({ predicted: "no", differs: true });
  expect(of("memory")?.count).toBeGreaterThanOrEqual(8);
  expect(of("time")).toMatchObject({ count: 0, differs: false });
});
