import { randomBytes, randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { player, type SessionEvent } from "#shared/player/player.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { startBalancer } from "#test/balancer.ts";
import { createClient, createWriter } from "#test/client.ts";
import { scaled } from "#test/long.ts";
import { startMailbox } from "#test/mailbox.ts";
import { packageOf } from "#test/samplePackage.ts";
import { createObjects, newPath } from "#test/objects.ts";
import { ADMIN, createProcess, type Process } from "#test/process.ts";
import { startS3 } from "#test/s3.ts";
import { PASSWORD } from "#test/password.ts";

// Two processes on one external PostgreSQL, with an account that owns its database and has no further rights, and one
// bucket, behind a load balancer that sends each request to the next of them

const LEARNERS = scaled(8, 40);
const postgres = inject("postgres");
const database = `nodes_${randomUUID().replaceAll("-", "")}`;
const folder = mkdtempSync(join(tmpdir(), "lyceum-nodes-"));
const sql = createPool({ ...postgres, database }, createLog("error"), { max: 2 });
const maintenance = new pg.Client({ ...postgres });
const [s3, mailbox, pages, contents] = await Promise.all([startS3(), startMailbox(), startBalancer(), startBalancer()]);
const portOf = (url: string) => Number(new URL(url).port);

const databaseUrl = new URL(`postgres://${database}:${PASSWORD}@localhost/${database}`);
databaseUrl.searchParams.set("host", postgres.host);
databaseUrl.searchParams.set("port", String(postgres.port));
const createNode = (name: string) =>
  createProcess({
    DATABASE_URL: databaseUrl.href,
    DATA_DIR: join(folder, name),
    STORAGE_URL: s3.url,
    SMTP_URL: mailbox.url,
    PUBLIC_URL: pages.url,
    CONTENT_ORIGIN: contents.url,
    PRIVATE_HOSTS: "localhost,127.0.0.1",
  });
const nodes: Process[] = [await createNode("one"), await createNode("two")];
const [one, two] = nodes as [Process, Process];
const admin = createClient(pages.url);
let company = { id: "", accessCode: "" };

beforeAll(async () => {
  await maintenance.connect();
  await maintenance.query(`create role ${database} login password '${PASSWORD}'`);
  await maintenance.query(`create database ${database} owner ${database}`);
  await one.start();
  const secret = join(folder, "two/secret");
  mkdirSync(dirname(secret), { recursive: true });
  copyFileSync(join(folder, "one/secret"), secret);
  await two.start();
  pages.balance(nodes.map(({ url }) => portOf(url)));
  contents.balance(nodes.map(({ contentUrl }) => portOf(contentUrl)));
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.remove()));
  await Promise.all([pages.stop(), contents.stop(), s3.stop()]);
  await mailbox.close();
  await sql.end();
  await maintenance.query(`drop database if exists ${database} with (force)`);
  await maintenance.query(`drop role if exists ${database}`);
  await maintenance.end();
  rmSync(folder, { recursive: true, force: true });
});

async function addLearner(name: string) {
  const email = `${name.toLowerCase()}@norrvik.example`;
  const body = { name, email, password: PASSWORD, accessCode: company.accessCode };
  const client = createClient(pages.url);
  await client.call(auth.register, { body });
  const { token, user } = await client.call(auth.signIn, { body: { email, password: PASSWORD } });
  client.useToken(token);
  return { id: user.id, email, client };
}
async function addCourse() {
  const { status, body } = await admin.upload("course.zip", packageOf());
  expect(status).toBe(200);
  const { id } = await admin.call(courses.setStatus, {
    params: { id: body.id },
    body: { status: "published", version: body.version },
  });
  await admin.call(courses.assign, { params: { id }, body: { companyIds: [company.id] } });
  return id;
}
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: Error) => Number(/: (\d{3}) /.exec(error.message)?.[1]),
  );

test("a rolling restart loses and duplicates no commit", { timeout: 180_000 }, async () => {
  const courseId = await addCourse();
  const people = await Promise.all(Array.from({ length: LEARNERS }, (_, n) => addLearner(`Restart${n}`)));
  const sessions = await Promise.all(
    people.map(({ client }, n) =>
      client.call(player.launch, { params: { companyId: company.id, courseId }, body: { clientId: `window-${n}` } }),
    ),
  );
  let isWriting = true;
  const work = sessions.map(async (session) => {
    const writer = createWriter(pages.url, session);
    writer.add([
      { type: "nav", sco: "i1" },
      { type: "scorm.init", sco: "i1" },
    ]);
    for (let n = 0; isWriting; n++) {
      writer.add([{ type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value: String(n) }]);
      await writer.flush();
    }
    while (!(await writer.flush())) await sleep(50);
    return writer.last();
  });
  for (const node of nodes) {
    await node.stop();
    await node.start();
  }
  isWriting = false;
  const lasts = await Promise.all(work);
  for (const [index, { sessionId }] of sessions.entries()) {
    const { rows } = await sql.query<{ events: SessionEvent[] }>(
      "select events from session_events where session_id = $1 order by first_seq",
      [sessionId],
    );
    const numbers = rows.flatMap(({ events }) => events.map(({ seq }) => seq));
    expect(numbers).toEqual(Array.from({ length: lasts[index] ?? 0 }, (_, n) => n + 1));
  }
});

test("an upload whose chunks reach different nodes is stored whole", async () => {
  const { token } = await admin.call(auth.signIn, { body: ADMIN });
  const objects = createObjects(pages.url, token);
  const chunk = 8 * 1024 ** 2;
  const bytes = randomBytes(3 * chunk + 1000);
  const path = newPath("film.mp4");
  const { address } = await objects.begin(path, bytes.length, { purpose: "course" });
  for (let offset = 0; offset < bytes.length; offset += chunk) {
    const isLast = offset + chunk >= bytes.length;
    const { status } = await objects.command(address, isLast ? "upload, finalize" : "upload", {
      offset,
      bytes: bytes.subarray(offset, offset + chunk),
    });
    expect(status).toBe(200);
  }
  const { status, bytes: stored } = await objects.read(path);
  expect(status).toBe(200);
  expect(stored.equals(bytes)).toBe(true);
});

test("both nodes count the same wrong passwords", async () => {
  const { email } = await addLearner("Locked");
  const guess = () =>
    statusOf(createClient(pages.url).call(auth.signIn, { body: { email, password: "wrong guess 1" } }));
  const answers: number[] = [];
  while (!answers.includes(429) && answers.length < 30) answers.push(await guess());
  expect(answers.filter((status) => status === 401)).toHaveLength(5);
  for (const [index] of nodes.entries()) {
    pages.pin(index);
    expect(await guess()).toBe(429);
  }
  pages.pin();
});

test("a suspension on one node counts on the other before it is confirmed", async () => {
  for (let round = 0; round < scaled(2, 50); round++) {
    const { id, client } = await addLearner(`Suspended${round}`);
    pages.pin(0);
    expect(await statusOf(client.call(auth.me, {}))).toBe(200);
    pages.pin(1);
    // Now both nodes have cached the user.
    expect(await statusOf(client.call(auth.me, {}))).toBe(200);
    await admin.call(learners.suspend, { body: { ids: [id] } });
    pages.pin(0);
    expect(await statusOf(client.call(auth.me, {}))).toBe(401);
    pages.pin();
  }
});

test("each job runs on one node only", async () => {
  const count = 12;
  const emails = Array.from({ length: count }, (_, n) => `invited${n}@norrvik.example`);
  await Promise.all(
    emails.map((email) =>
      admin.call(learners.invite, { body: { companyId: company.id, people: [{ email, name: "" }] } }),
    ),
  );
  for (const email of emails) await mailbox.waitForMail(email, "");
  expect(emails.map((email) => mailbox.count(email, ""))).toEqual(emails.map(() => 1));
});

test("a course that one node has stored is played by the other", async () => {
  pages.pin(0);
  const courseId = await addCourse();
  pages.pin(1);
  contents.pin(1);
  const { client } = await addLearner("Player");
  const session = await client.call(player.launch, {
    params: { companyId: company.id, courseId },
    body: { clientId: "window-of-player" },
  });
  const answer = await fetch(session.shell);
  expect(answer.status).toBe(200);
  pages.pin();
  contents.pin();
});

test("an erased learner leaves the history under a number", async () => {
  const { id, client } = await addLearner("Erased");
  const rowsOf = async () => (await sql.query("select 1 from membership_history where person_id = $1", [id])).rowCount;
  expect(await rowsOf()).toBeGreaterThan(0);
  const { rows: before } = await sql.query<{ count: number }>("select count(*)::int as count from membership_history");
  await client.call(privacy.erase, { body: {} });
  expect(await rowsOf()).toBe(0);
  const { rows: after } = await sql.query<{ count: number }>("select count(*)::int as count from membership_history");
  expect(after[0]?.count).toBeGreaterThan(before[0]?.count ?? 0);
});
