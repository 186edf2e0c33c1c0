import { Agent, request } from "node:http";
import pg from "pg";
import { auth } from "#shared/auth.ts";
import { companies } from "#shared/companies.ts";
import { courses } from "#shared/courses.ts";
import { type Launch, player, SESSION_HEADER, type SessionEvent } from "#shared/player.ts";
import { createClient } from "#test/client.ts";
import { packageOf } from "#test/make.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, processTreeOf, load, median, round } from "./_load.ts";
import { COMMIT_SQL } from "#server/player/commitWriter.ts";

/**
 * Acknowledged commits per second of 50 concurrent learners, compared with a baseline: the same statement with the same rows,
 * sent directly to the same PostgreSQL over as many connections as the server uses. Both are durable (synchronous_commit on).
 * Neither CPU figure includes the load generator.
 */
const LEARNERS = 50;
const CONNECTIONS = 20;
const SECONDS = Number(process.env.SECONDS ?? 6);
const ROUNDS = Number(process.env.ROUNDS ?? 5);

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const sessions = await openSessions();
const agent = new Agent({ keepAlive: true, maxSockets: LEARNERS });
const pool = new pg.Pool({
  ...server.connection(),
  max: CONNECTIONS,
  ...(process.env.GENERIC && { options: "-c plan_cache_mode=force_generic_plan" }),
});

const next = sessions.map(() => 1);
/** The events of one slide: lesson location, 1 KB of suspend data, session time. */
const eventsOf = (lane: number): SessionEvent[] => {
  const seq = next[lane] as number;
  next[lane] = seq + 3;
  const set = (index: number, key: string, value: string): SessionEvent => ({
    seq: seq + index,
    t: (seq + index) * 100,
    type: "scorm.set",
    sco: "i1",
    key,
    value,
  });
  return [
    set(0, "cmi.core.lesson_location", `slide-${seq}`),
    set(1, "cmi.suspend_data", `${seq}`.padStart(1024, "x")),
    set(2, "cmi.core.session_time", "0000:10:00"),
  ];
};
const post = (lane: number) =>
  new Promise<void>((resolve, reject) => {
    const { sessionId, token } = sessions[lane] as Launch;
    const body = JSON.stringify({ events: eventsOf(lane), activeMs: 1000 });
    const call = request(
      `${server.url.replace("localhost", "127.0.0.1")}/api/sessions/${sessionId}/events`,
      {
        agent,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          [SESSION_HEADER]: token,
        },
      },
      (reply) => {
        reply.resume();
        reply.on("end", () =>
          reply.statusCode === 200 ? resolve() : reject(new Error(`commit: ${reply.statusCode}`)),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });

// The baseline uses separate attempts, so that it does not conflict with the revisions of the server.
const baselineSessions = await copySessions();
const baselineNext = baselineSessions.map(() => ({ seq: 1, rev: 0 }));
const writeBaseline = async (lane: number) => {
  const { sessionId, attemptId } = baselineSessions[lane] as { sessionId: string; attemptId: string };
  const next = baselineNext[lane] as { seq: number; rev: number };
  const seq = next.seq;
  const events = [
    { seq, t: 1, type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value: `slide-${seq}` },
    { seq: seq + 1, t: 1, type: "scorm.set", sco: "i1", key: "cmi.suspend_data", value: `${seq}`.padStart(1024, "x") },
    { seq: seq + 2, t: 1, type: "scorm.set", sco: "i1", key: "cmi.core.session_time", value: "0000:10:00" },
  ];
  const commit = [
    sessionId,
    attemptId,
    next.rev,
    "incomplete",
    "unknown",
    null,
    null,
    "i1",
    1,
    600,
    null,
    null,
    1000,
    '{"i1":600}',
    0,
    seq + 2,
    seq,
    JSON.stringify(events),
    false,
    0,
    0,
    0,
  ];
  const part = [
    attemptId,
    "i1",
    JSON.stringify({ "cmi.core.lesson_location": `slide-${seq}` }),
    events[1]?.value,
    "incomplete",
    "unknown",
    null,
    null,
    1,
    false,
    600,
  ];
  const none = Array.from({ length: 10 }, () => []);
  const { rowCount } = await pool.query({
    name: "raw",
    text: COMMIT_SQL,
    values: [...commit.map((value) => [value]), ...part.map((value) => [value]), ...none],
  });
  if (rowCount !== 1) throw new Error("the baseline wrote nothing");
  next.seq += 3;
  next.rev++;
};

const rounds = [];
await load(LEARNERS, 2, post);
await load(LEARNERS, 2, writeBaseline);
const postmaster = server.postgresPid();
for (let n = 0; n < ROUNDS; n++) {
  const cpuOf = () => cpuSeconds([server.pid()]) + cpuSeconds(processTreeOf(postmaster));
  const before = cpuOf();
  const nodeBefore = cpuSeconds([server.pid()]);
  const ours = await load(LEARNERS, SECONDS, post);
  const cpu = cpuOf() - before;
  const node = cpuSeconds([server.pid()]) - nodeBefore;
  const baselineBefore = cpuSeconds(processTreeOf(postmaster));
  const baseline = await load(LEARNERS, SECONDS, writeBaseline);
  const baselineCpu = cpuSeconds(processTreeOf(postmaster)) - baselineBefore;
  rounds.push({ ours, baseline, cpu, ratio: ours.rate / baseline.rate, perCpuSecond: ours.count / cpu });
  console.log(
    JSON.stringify({
      round: n + 1,
      commitsPerSecond: round(ours.rate, 0),
      p50: round(ours.p50),
      p99: round(ours.p99),
      baselinePerSecond: round(baseline.rate, 0),
      baselineP50: round(baseline.p50),
      baselineCpuMs: round((baselineCpu / baseline.count) * 1000, 3),
      ratio: round(ours.rate / baseline.rate),
      cpuMsPerCommit: round((cpu / ours.count) * 1000, 3),
      ofWhichNode: round((node / ours.count) * 1000, 3),
      commitsPerCpuSecond: round(ours.count / cpu, 0),
    }),
  );
}
/** Moodle 4.5: 20 ms of CPU per commit (docs/benchmarks.md). */
const peerPerCpuSecond = 1000 / 20;
const result = {
  learners: LEARNERS,
  rounds: ROUNDS,
  medianRatioToBaseline: round(median(rounds.map((r) => r.ratio))),
  medianCommitsPerSecond: round(median(rounds.map((r) => r.ours.rate)), 0),
  medianP50: round(median(rounds.map((r) => r.ours.p50))),
  medianP99: round(median(rounds.map((r) => r.ours.p99))),
  commitsPerCpuSecond: round(median(rounds.map((r) => r.perCpuSecond)), 0),
  timesPeerPerCpuSecond: round(median(rounds.map((r) => r.perCpuSecond)) / peerPerCpuSecond, 1),
};
console.log(JSON.stringify(result));
await pool.end();
agent.destroy();
await server.remove();

async function openSessions() {
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Bench" } });
  const { body: course } = await admin.upload("course.zip", packageOf());
  await admin.call(courses.setStatus, {
    params: { id: course.id },
    body: { status: "published", version: course.version },
  });
  await admin.call(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  const opened: Launch[] = [];
  for (let i = 0; i < LEARNERS; i++) {
    const me = createClient(server.url);
    const body = { name: `Learner ${i}`, email: `l${i}@example.com`, password: "correct horse battery" };
    await me.call(auth.register, { body: { ...body, accessCode: company.accessCode } });
    me.useToken((await me.call(auth.signIn, { body })).token);
    opened.push(
      await me.call(player.launch, {
        params: { companyId: company.id, courseId: course.id },
        body: { clientId: `window-${i}` },
      }),
    );
  }
  return opened;
}

async function copySessions() {
  const copies = [];
  for (const { attemptId, sessionId } of sessions) {
    const {
      rows: [attempt],
    } = await pool.query<{ id: string }>(
      "insert into attempts (enrolment_id, user_id, company_id, course_id, version_id, no) select enrolment_id, user_id, company_id, course_id, version_id, 99 from attempts where id = $1 returning id",
      [attemptId],
    );
    const {
      rows: [session],
    } = await pool.query<{ id: string }>(
      "insert into sessions (attempt_id, user_id, company_id, token_hash, client_id) select $2, user_id, company_id, 'none', 'none' from sessions where id = $1 returning id",
      [sessionId, attempt?.id],
    );
    copies.push({ attemptId: attempt?.id as string, sessionId: session?.id as string });
  }
  return copies;
}
