import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { MAX_CHUNK_BYTES } from "#shared/recordings/recordingLimits.ts";
import { replays } from "#shared/reports/replays.ts";
import type { Reply } from "#shared/core/route.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";
import type { Launch } from "#shared/player/player.ts";

const server = await start();
const { as, content, db, make } = server;
const { createGroup, define } = createValueMaker(server);

const at = ({ sessionId }: Launch) => ({ params: { id: sessionId } });
/** A session with a stored recording of these chunks. */
async function createRecorded(bodies: Buffer[]) {
  const { admin, company, course, learners, sessions } = await createGroup(1);
  const [session, learner] = [sessions[0] as Launch, learners[0] as Person];
  const { sessionId } = session;
  await db
    .insertInto("recordings")
    .values({ sessionId, userId: learner.user.id, companyId: company.id, chunks: bodies.length })
    .execute();
  for (const [number, body] of bodies.entries())
    await db.insertInto("recordingChunks").values({ sessionId, number, body }).execute();
  return { admin, company, course, learner, session };
}

test("an admin reads a recording in pages, and the learner sees that it was watched", async () => {
  const bodies = Array.from({ length: 5 }, (_, n) => Buffer.alloc(MAX_CHUNK_BYTES - n, n));
  const { admin, learner, session } = await createRecorded(bodies);
  const found = (await as(admin)(replays.replayRecording, at(session))).body;
  expect(found).toMatchObject({ closed: null, viewer: expect.stringContaining("/recording-viewer/") });
  const bodiesRead: Buffer[] = [];
  for (let from: number | null = 0; from !== null;) {
    const reply = await as(admin)(replays.recordingChunks, { ...at(session), query: { from } });
    const body: Reply<typeof replays.recordingChunks> = reply.body;
    expect(body.chunks.length).toBeLessThan(4);
    bodiesRead.push(...body.chunks.map((chunk) => Buffer.from(chunk, "base64")));
    from = body.next;
  }
  expect(bodiesRead).toEqual(bodies);
  const { items } = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body;
  expect(items.map(({ action }) => action)).toEqual(["reports.recording"]);
  expect((await as(learner)(replays.recordingChunks, at(session))).status).toBe(403);
});

test("the viewer of a recording admits its own script, package files, and no network", async () => {
  const { admin, company, course, learner, session } = await createRecorded([gzipSync("[]")]);
  const { viewer } = (await as(admin)(replays.replayRecording, at(session))).body;
  const path = new URL(viewer as string).pathname;
  const page = await content.inject(path);
  expect(page.statusCode).toBe(200);
  const policy = String(page.headers["content-security-policy"]);
  const files = `http://127.0.0.1:2${path.replace("/recording-viewer/", "/files/")}`;
  expect(policy).toContain(`img-src data: ${files};`);
  for (const part of [
    "default-src 'none'",
    "connect-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
    expect(policy).toContain(part);
  expect(policy).toMatch(/script-src http:\/\/127\.0\.0\.1:2\/shell\/[\w.-]+\.js;/);
  const launched = await make.launch(learner, company.id, course.id, { takeOver: true });
  const own = new URL(launched.shell).pathname.replace("/play/", "/recording-viewer/");
  expect((await content.inject(own)).statusCode).toBe(403);
  expect((await content.inject("/recording-viewer/forged.x/")).statusCode).toBe(404);
});

test("a recording is not shown if it could show what is masked or deleted by now", async () => {
  const { admin, course, session } = await createRecorded([gzipSync("[]")]);
  await define(admin, {
    key: "worry",
    type: "text",
    privacy: "sensitive",
    courses: [{ courseId: course.id, access: "both" }],
  });
  expect((await as(admin)(replays.replayRecording, at(session))).body).toEqual({ closed: "masked", viewer: null });
  expect((await as(admin)(replays.recordingChunks, at(session))).status).toBe(404);
});

test("a session without a recording has none to show", async () => {
  const { admin, sessions } = await createGroup(1);
  const session = sessions[0] as Launch;
  expect((await as(admin)(replays.replayRecording, at(session))).body).toEqual({ closed: null, viewer: null });
  expect((await as(admin)(replays.recordingChunks, at(session))).status).toBe(404);
});
