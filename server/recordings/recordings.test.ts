import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { companies } from "#shared/companies/companies.ts";
import { ALL_PREFERENCES, ONLY_ESSENTIAL } from "#shared/consent/consentPreferences.ts";
import { CONSENT_HEADERS, consents } from "#shared/consent/consent.ts";
import { learners } from "#shared/learners/learners.ts";
import { SESSION_HEADER, type Launch } from "#shared/player/player.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { MAX_CHUNK_BYTES, MAX_CHUNK_BYTES_INFLATED } from "#shared/recordings/recordingLimits.ts";
import { recordings } from "#shared/recordings/recordings.ts";
import { academies } from "#shared/settings/settings.ts";
import { deleteOldRecordings } from "#server/recordings/jobs.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, content, db, make, services } = server;
const { createGroup, define } = createValueMaker(server);

/** Accepts all services, on the current text. */
const accept = async (person: Person, headers: Record<string, string> = {}) => {
  const { textHash } = (await as(null)(academies.read)).body.consent;
  const body = { status: "accept_all" as const, preferences: ALL_PREFERENCES };
  return as(person, { [CONSENT_HEADERS.text]: textHash, ...headers })(consents.record, { body });
};
const withdraw = (person: Person) =>
  as(person)(consents.record, { body: { status: "reject_all", preferences: ONLY_ESSENTIAL } });
const chunk = (text = "hello") => gzipSync(JSON.stringify([{ type: 4, data: { text }, timestamp: 1 }]));
const sendChunk = async ({ sessionId, token }: Launch, number: number, payload: Buffer = chunk()) =>
  content.inject({
    method: "POST",
    url: `/recording/${sessionId}/${number}`,
    headers: { "content-type": "application/gzip", [SESSION_HEADER]: token },
    payload,
  });
const countChunks = async ({ sessionId }: Launch) =>
  (await db.selectFrom("recordingChunks").where("sessionId", "=", sessionId).select("number").execute()).length;

/** A classroom whose company records unless `isOn` is false, and whose learner has consented. */
async function createClassroom(isOn = true) {
  const room = await make.classroom();
  const setRecording = async (recordPages: boolean, days = 90) => {
    const { version } = (await as(room.admin)(companies.get, { params: { id: room.company.id } })).body;
    const body = { recordPages, recordingDays: days, version };
    const { status } = await as(room.admin)(companies.update, { params: { id: room.company.id }, body });
    expect(status).toBe(200);
  };
  if (isOn) await setRecording(true);
  await accept(room.learner);
  const launch = () => make.launch(room.learner, room.company.id, room.course.id, { takeOver: true });
  return { ...room, setRecording, launch };
}

test("a session is recorded only if the company records and the learner consented", async () => {
  const { admin, learner, company, course, launch, setRecording } = await createClassroom(false);
  const off = await launch();
  expect(off.recording).toBeNull();
  expect((await sendChunk(off, 0)).statusCode).toBe(403);
  await setRecording(true);
  // The decision was made before the company recorded, on a text that did not mention recordings.
  expect((await launch()).recording).toBeNull();
  await accept(learner);
  const session = await launch();
  expect(session.recording).toEqual({ hidden: [learner.user.name, learner.user.email] });
  expect((await sendChunk(session, 0)).json()).toEqual({ next: 1 });
  const preview = await make.launch(admin, company.id, course.id);
  expect(preview.recording).toBeNull();
  expect((await sendChunk(preview, 0)).statusCode).toBe(403);
});

test("asks people again when a company begins to record, and says what is recorded", async () => {
  const { setRecording } = await createClassroom(false);
  await db.updateTable("companies").set({ recordPages: false }).execute();
  const before = (await as(null)(academies.read)).body.consent;
  expect(before.recordsPages).toBe(false);
  await setRecording(true);
  const after = (await as(null)(academies.read)).body.consent;
  expect(after).toMatchObject({ recordsPages: true, version: before.version + 1 });
});

test("chunks are stored in order, once, and only with the token of their session", async () => {
  const { launch } = await createClassroom();
  const other = await createClassroom();
  const session = await launch();
  const foreign = await other.launch();
  expect((await sendChunk({ ...session, token: foreign.token }, 0)).statusCode).toBe(401);
  expect((await sendChunk({ ...session, token: "" }, 0)).statusCode).toBe(401);
  expect((await sendChunk(session, 1)).json()).toMatchObject({ code: "recordings.gap", details: { next: 0 } });
  expect((await sendChunk(session, 0)).json()).toEqual({ next: 1 });
  expect((await sendChunk(session, 0, chunk("again"))).json()).toEqual({ next: 1 });
  expect((await sendChunk(session, 1)).json()).toEqual({ next: 2 });
  expect(await countChunks(session)).toBe(2);
  const { body } = await db
    .selectFrom("recordingChunks")
    .where("sessionId", "=", session.sessionId)
    .where("number", "=", 0)
    .select("body")
    .executeTakeFirstOrThrow();
  expect(Buffer.compare(body, chunk())).toBe(0);
});

test("refuses chunks that are too large, inflate too much or are no gzip", async () => {
  const { launch } = await createClassroom();
  const session = await launch();
  expect((await sendChunk(session, 0, Buffer.alloc(MAX_CHUNK_BYTES + 1))).statusCode).toBe(413);
  const bomb = gzipSync(Buffer.alloc(MAX_CHUNK_BYTES_INFLATED + 1));
  expect((await sendChunk(session, 0, bomb)).json()).toMatchObject({ code: "recordings.broken" });
  expect((await sendChunk(session, 0, Buffer.from("[]"))).json()).toMatchObject({ code: "recordings.broken" });
  await db
    .updateTable("recordings")
    .set({ bytes: 20 * 1024 * 1024 - 10 })
    .where("sessionId", "=", session.sessionId)
    .execute();
  expect((await sendChunk(session, 0)).json()).toMatchObject({ code: "recordings.full" });
  expect(await countChunks(session)).toBe(0);
  // A refusal takes a second, so all chunks are sent at once.
  const replies = await Promise.all(Array.from({ length: 700 }, () => sendChunk(session, 5000)));
  expect(replies.some(({ statusCode }) => statusCode === 429)).toBe(true);
});

test("a withdrawal deletes what was recorded and refuses chunks that are under way", async () => {
  const { learner, launch } = await createClassroom();
  const session = await launch();
  await sendChunk(session, 0);
  expect((await as(learner)(recordings.state, { params: { id: session.sessionId } })).body).toEqual({
    recording: true,
  });
  const running = Promise.all(Array.from({ length: 5 }, (_, n) => sendChunk(session, n + 1)));
  expect((await withdraw(learner)).status).toBe(200);
  expect(await countChunks(session)).toBe(0);
  await running;
  expect(await countChunks(session)).toBe(0);
  expect((await sendChunk(session, 0)).json()).toMatchObject({ code: "recordings.ended" });
  expect((await as(learner)(recordings.state, { params: { id: session.sessionId } })).body).toEqual({
    recording: false,
  });
  await accept(learner);
  // A new consent applies to later sessions: the one of the withdrawal stays unrecorded.
  expect((await sendChunk(session, 0)).statusCode).toBe(403);
  expect((await launch()).recording).not.toBeNull();
});

test("a decision that was made earlier and arrives later does not undo a withdrawal", async () => {
  const { learner, launch } = await createClassroom();
  await withdraw(learner);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await accept(learner, { [CONSENT_HEADERS.decidedAt]: hourAgo, [CONSENT_HEADERS.via]: "sync" });
  expect((await launch()).recording).toBeNull();
});

test("a decision that does not say which text was shown is no consent to recordings", async () => {
  const { learner, launch } = await createClassroom();
  await as(learner)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  expect((await launch()).recording).toBeNull();
});

test("a decision on an earlier text is no consent: a recording under it ends", async () => {
  const { learner, launch } = await createClassroom();
  const session = await launch();
  expect((await sendChunk(session, 0)).statusCode).toBe(200);
  const admin = await make.admin();
  const { version } = (await as(null)(academies.policy)).body;
  const body = { body: "# Privacy\n\nWe store less.", after: version };
  expect((await as(admin)(academies.publishPolicy, { body })).status).toBe(200);
  expect((await sendChunk(session, 1)).json()).toMatchObject({ code: "recordings.ended" });
  expect((await launch()).recording).toBeNull();
  await accept(learner);
  expect((await launch()).recording).not.toBeNull();
});

test("a recording ends with the learner's access or the company's switch", async () => {
  const { admin, company, learner, launch, setRecording } = await createClassroom();
  const session = await launch();
  await sendChunk(session, 0);
  await setRecording(false);
  expect((await sendChunk(session, 1)).statusCode).toBe(403);
  const stored = await as(admin)(recordings.stored, { params: { id: company.id } });
  expect(stored.body).toMatchObject({ sessions: 1, learners: 1, bytes: chunk().length });
  expect((await as(learner)(recordings.stored, { params: { id: company.id } })).status).toBe(403);
  expect((await as(admin)(recordings.remove, { params: { id: company.id } })).body).toEqual({ removed: 1 });
  expect(await countChunks(session)).toBe(0);
  const log = (await as(admin)(audit.list, { query: { companyId: company.id } })).body.items;
  expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(["recordings.remove", "companies.update"]));

  await setRecording(true);
  await accept(learner);
  const second = await launch();
  expect((await sendChunk(second, 0)).statusCode).toBe(200);
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id] } });
  expect((await sendChunk(second, 1)).statusCode).toBe(403);
});

test("a course with a sensitive variable is not recorded", async () => {
  const { admin, company, course, learners: people } = await createGroup(1);
  const learner = people[0] as Person;
  await db.updateTable("companies").set({ recordPages: true }).where("id", "=", company.id).execute();
  await accept(learner);
  const launch = () => make.launch(learner, company.id, course.id, { takeOver: true });
  const session = await launch();
  expect(session.recording).not.toBeNull();
  await define(admin, {
    key: "worry",
    type: "text",
    privacy: "sensitive",
    courses: [{ courseId: course.id, access: "both" }],
  });
  expect((await sendChunk(session, 0)).statusCode).toBe(403);
  expect((await launch()).recording).toBeNull();
});

test("recordings are part of the export and gone after an erasure", async () => {
  const { admin, learner, launch } = await createClassroom();
  const session = await launch();
  await sendChunk(session, 0, chunk("what was shown"));
  const { sections } = (await as(learner)(privacy.export)).body as unknown as {
    sections: Record<string, { items: Record<string, string>[] }>;
  };
  expect(sections.recordings?.items).toHaveLength(1);
  expect(Buffer.from(sections.recordingChunks?.items[0]?.gzippedEvents ?? "", "base64")).toEqual(
    chunk("what was shown"),
  );
  expect((await as(admin)(privacy.erase, { body: { userId: learner.user.id } })).status).toBe(200);
  expect(await countChunks(session)).toBe(0);
});

test("recordings are deleted after the days of their company", async () => {
  const { company, launch, setRecording } = await createClassroom();
  await setRecording(true, 30);
  const session = await launch();
  await sendChunk(session, 0);
  const age = (days: number) =>
    db
      .updateTable("recordings")
      .set({ startedAt: new Date(Date.now() - days * 86_400_000).toISOString() })
      .where("companyId", "=", company.id)
      .execute();
  await age(29);
  await deleteOldRecordings.work(services, {});
  expect(await countChunks(session)).toBe(1);
  await age(31);
  await deleteOldRecordings.work(services, {});
  expect(await countChunks(session)).toBe(0);
});
