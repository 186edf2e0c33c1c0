import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import pg from "pg";
import * as Y from "yjs";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import { auth } from "#shared/auth/auth.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { findChromium } from "#test/chromium.ts";
import { createClient, createWriter } from "#test/client.ts";
import { copyLearner } from "#test/copiedLearners.ts";
import { answerEvent, choiceQuestion, choose, courseOf, insertCourseInto, newId, paragraph } from "#test/lessons.ts";
import { openClass } from "#test/openClass.ts";
import { PASSWORD } from "#test/password.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, load, median, processTreeOf, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";

/**
 * Lessons. First an answer to a graded question, beside a commit of a SCORM package on the same server; then updates of
 * authors who write at once, beside a durable insert of the same bytes; last a lesson of 200 blocks in a browser, beside
 * a static page with its text. CPU is that of server and database.
 */
const LEARNERS = Number(process.env.LEARNERS ?? 1000);
const AT_ONCE = 50;
const AUTHORS = 20;
const BLOCKS = 200;
/** Questions of a lesson; who has answered all of them answers no more. */
const QUESTIONS = 300;
const SECONDS = Number(process.env.SECONDS ?? 6);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const TEXT = "Check the harness on the ground, in daylight, with dry hands, before you climb. ".repeat(2);

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const postmaster = server.postgresPid();
const cpuOf = () => cpuSeconds([server.pid()]) + cpuSeconds(processTreeOf(postmaster));
const say = (what: object) => console.log(JSON.stringify(what));

const admin = createClient(server.url);
const { user, token } = await admin.call(auth.signIn, { body: ADMIN });
admin.useToken(token);
const pool = new pg.Pool({ ...server.connection(), max: AUTHORS });

await measureAnswers();
await measureAuthors();
await measurePage();
await pool.end();
await server.remove();

/** Count, rate, percentiles, and CPU in ms for each. */
async function measured(lanes: number, work: (lane: number, n: number) => Promise<unknown>) {
  const before = cpuOf();
  const result = await load(lanes, SECONDS, work);
  return { ...result, cpuMs: ((cpuOf() - before) / result.count) * 1000 };
}

async function measureAnswers() {
  const questions = Array.from({ length: QUESTIONS }, (_, n) => choiceQuestion(`Question ${n}`, { tries: 1 }));
  const course = courseOf({ id: "lesson-quiz", title: "Quiz", blocks: questions.map(({ block }) => block) });
  await openClass(server.url, 1, () => insertCourseInto(server.connection(), user as never, course));
  await server.query(copyLearner(LEARNERS));
  const rows = await server.query<{ id: string }>(
    `update sessions
    set token_hash = translate(encode(sha256(('token ' || id)::bytea), 'base64'), '+/=', '-_')
    returning id`,
  );
  const people = rows.map(({ id }) => ({ writer: createWriter(server.url, { sessionId: id, token: `token ${id}` }) }));
  const packages = await openSessions(server.url, AT_ONCE);
  for (const { writer } of people) writer.add([{ type: "nav", sco: "lesson-quiz" }]);
  const counts = people.map(() => 0);
  const answer = async (lane: number, n: number) => {
    // Each lane serves its share of the learners in turn.
    const index = lane + AT_ONCE * (n % Math.floor(people.length / AT_ONCE));
    const person = people[index]!;
    const question = questions[counts[index]!++ % QUESTIONS]!;
    const { value, ...event } = answerEvent(question.id, choose(question.right));
    person.writer.add([{ ...event, sco: "lesson-quiz", value: JSON.stringify(value) }]);
    if (!(await person.writer.flush())) throw new Error("an answer was not stored");
  };
  await load(AT_ONCE, 2, answer);
  await load(AT_ONCE, 2, packages.post);
  const ratios = [];
  for (let n = 0; n < ROUNDS; n++) {
    const answers = await measured(AT_ONCE, answer);
    const commits = await measured(AT_ONCE, packages.post);
    ratios.push(answers.cpuMs / commits.cpuMs);
    say({
      round: n + 1,
      answersPerSecond: round(answers.rate, 0),
      answerP95: round(answers.p95, 1),
      answerCpuMs: round(answers.cpuMs),
      commitCpuMs: round(commits.cpuMs),
      ratio: round(answers.cpuMs / commits.cpuMs),
    });
  }
  packages.close();
  say({ learners: people.length, atOnce: AT_ONCE, cpuOfAnAnswerToCommit: round(median(ratios)) });
}

/** A document, and what changes when a paragraph with one sentence is added. */
function createDocument() {
  const doc = new Y.Doc();
  const fragment = doc.getXmlFragment(FRAGMENT);
  return () => {
    const before = Y.encodeStateVector(doc);
    const block = new Y.XmlElement("paragraph");
    block.setAttribute("id", newId("block"));
    block.setAttribute("textId", newId("text"));
    block.insert(0, [new Y.XmlText("In daylight.")]);
    fragment.insert(fragment.length, [block]);
    if (fragment.length > BLOCKS) fragment.delete(0, 1);
    return Buffer.from(Y.encodeStateAsUpdate(doc, before));
  };
}

async function measureAuthors() {
  const draft = await admin.call(drafts.create, { body: { title: "Working at heights", language: "en" } });
  const lessonId = draft.modules[0]!.lessons[0]!.id;
  const documents = Array.from({ length: AUTHORS }, createDocument);
  const write = (lane: number) =>
    admin.call(drafts.write, {
      params: { id: lessonId },
      body: { key: crypto.randomUUID(), update: documents[lane]!().toString("base64") },
    });
  await pool.query("create table bench_updates (id uuid primary key default gen_random_uuid(), content bytea)");
  const insert = (lane: number) => pool.query("insert into bench_updates (content) values ($1)", [documents[lane]!()]);
  const ratios = [];
  await load(AUTHORS, 2, write);
  for (let n = 0; n < ROUNDS; n++) {
    const paced = await pacedLoad(write);
    const ours = await measured(AUTHORS, write);
    const bare = await measured(AUTHORS, insert);
    ratios.push(ours.cpuMs / bare.cpuMs);
    await admin.call(drafts.updates, { params: { id: lessonId }, query: { since: 0 } });
    say({
      round: n + 1,
      pacedP50: round(paced.p50, 1),
      pacedP95: round(paced.p95, 1),
      atFullSpeedP95: round(ours.p95, 1),
      updatesPerSecond: round(ours.rate, 0),
      cpuMs: round(ours.cpuMs),
      bareInsertCpuMs: round(bare.cpuMs),
      ratio: round(ours.cpuMs / bare.cpuMs),
    });
  }
  say({ authors: AUTHORS, cpuOfAnUpdateToBareInsert: round(median(ratios)) });
}

/** As browsers send them: each author has an update every 400 ms on average. */
async function pacedLoad(write: (lane: number) => Promise<unknown>) {
  const times: number[] = [];
  await load(AUTHORS, SECONDS, async (lane) => {
    await sleep(400 * (0.5 + Math.random()));
    const sentAt = performance.now();
    await write(lane);
    times.push(performance.now() - sentAt);
  });
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)]!, p95: times[Math.floor(times.length * 0.95)]! };
}

async function measurePage() {
  const blocks = Array.from({ length: BLOCKS }, (_, n) => paragraph(`${n}: ${TEXT}`));
  const course = courseOf({ id: "lesson-long", title: "Working at heights", blocks });
  const [person] = await openClass(
    server.url,
    1,
    () => insertCourseInto(server.connection(), user as never, course),
    "reader",
  );
  const { companyId, courseId } = person!.params;
  const body = blocks.map((_, n) => `<p>${n}: ${TEXT}</p>`).join("\n");
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Working at heights</title>${body}`;
  const plain = createServer((_, reply) => reply.setHeader("content-type", "text/html").end(page));
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;

  const browser = await chromium.launch({ executablePath: findChromium() ?? "", args: ["--no-sandbox"] });
  const state = await signedInState(browser, person!.email);
  const last = `${BLOCKS - 1}: ${TEXT.trim()}`;
  const ratios = [];
  for (let n = 0; n < ROUNDS; n++) {
    await pool.query("update sessions set ended_at = now(), end_reason = 'exit' where ended_at is null");
    const lesson = await openPage(browser, `${server.url}/launch/${companyId}/${courseId}`, last, state);
    const bare = await openPage(browser, plainUrl, last);
    ratios.push(lesson.shownMs / bare.shownMs);
    say({ round: n + 1, lesson, plain: bare, ratio: round(lesson.shownMs / bare.shownMs, 1) });
  }
  say({ blocks: BLOCKS, timeToLastBlockToStaticPage: round(median(ratios), 1) });
  await browser.close();
  plain.close();
}

async function signedInState(browser: Browser, email: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem("cookieConsentStatus", "reject_all"));
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Opens a page with nothing in the cache: when its last block is there, in ms, bytes and requests. */
async function openPage(
  browser: Browser,
  address: string,
  last: string,
  storageState?: Awaited<ReturnType<typeof signedInState>>,
) {
  const context = await browser.newContext(storageState ? { storageState } : {});
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const sizes: number[] = [];
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength));
  const startedAt = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.getByText(last.slice(0, 60)).first().waitFor({ state: "attached", timeout: 60_000 });
  const shownMs = performance.now() - startedAt;
  await page.waitForLoadState("networkidle");
  await context.close();
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { shownMs: round(shownMs, 0), kB: round(bytes / 1000, 0), requests: sizes.length };
}
