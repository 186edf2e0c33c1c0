import pg from "pg";
import { createProcess } from "#test/process.ts";
import { openSessions } from "./_sessions.ts";
import { cpuSeconds, processTreeOf, load, median, round } from "./_load.ts";
import { COMMIT_SQL } from "#server/player/commitWriter.ts";

/**
 * Acknowledged commits per second of 50 concurrent learners, compared with a baseline: the same statement with the same
 * rows, sent directly to the same PostgreSQL over as many connections as the server uses. Both are durable
 * (synchronous_commit on). Neither CPU figure includes the load generator.
 */
const LEARNERS = 50;
const CONNECTIONS = 20;
const SECONDS = Number(process.env.SECONDS ?? 6);
const ROUNDS = Number(process.env.ROUNDS ?? 5);

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const { sessions, post, postWithValue, close } = await openSessions(server.url, LEARNERS);
const pool = new pg.Pool({
  ...server.connection(),
  max: CONNECTIONS,
  ...(process.env.GENERIC && { options: "-c plan_cache_mode=force_generic_plan" }),
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
    1,
    0,
  ];
  const none = Array.from({ length: 10 }, () => []);
  const { rowCount } = await pool.query({
    name: "raw",
    text: COMMIT_SQL,
    values: [
      ...[...commit, ...part].map((value) => [value]),
      ...none,
      [null],
      ...none.slice(0, 8),
      ...[null, true, false, false].map((value) => [value]),
    ],
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
  const valuesBefore = cpuOf();
  const withValue = await load(LEARNERS, SECONDS, postWithValue);
  const valueCpu = (cpuOf() - valuesBefore) / withValue.count;
  const baselineBefore = cpuSeconds(processTreeOf(postmaster));
  const baseline = await load(LEARNERS, SECONDS, writeBaseline);
  const baselineCpu = cpuSeconds(processTreeOf(postmaster)) - baselineBefore;
  const valueRatio = { rate: withValue.rate / ours.rate, cpu: valueCpu / (cpu / ours.count) };
  rounds.push({ ours, baseline, cpu, ratio: ours.rate / baseline.rate, perCpuSecond: ours.count / cpu, valueRatio });
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
      withValue: { rate: round(valueRatio.rate), cpu: round(valueRatio.cpu) },
    }),
  );
}
const result = {
  learners: LEARNERS,
  rounds: ROUNDS,
  medianRatioToBaseline: round(median(rounds.map((r) => r.ratio))),
  medianCommitsPerSecond: round(median(rounds.map((r) => r.ours.rate)), 0),
  medianP50: round(median(rounds.map((r) => r.ours.p50))),
  medianP99: round(median(rounds.map((r) => r.ours.p99))),
  commitsPerCpuSecond: round(median(rounds.map((r) => r.perCpuSecond)), 0),
  // With a value of a variable in each commit, as ratios to without.
  medianRateWithValue: round(median(rounds.map((r) => r.valueRatio.rate))),
  medianCpuWithValue: round(median(rounds.map((r) => r.valueRatio.cpu))),
};
console.log(JSON.stringify(result));
await pool.end();
close();
await server.remove();

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
