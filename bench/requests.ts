import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { Agent, request, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { reports } from "#shared/reports/reports.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, load, median, processTreeOf, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";
import { PASSWORD } from "#test/password.ts";

/**
 * What one request costs: CPU of the server and PostgreSQL together, and requests per second, at concurrency 1, 8 and
 * 50. The main figures are ratios to a bare server of Node with one named lookup, measured right before each in the
 * same run. The load generator is not counted. `ONLY=me,course` runs some rows; `PROFILE=me` prints the functions in
 * which Node spends its time.
 */
const SECONDS = Number(process.env.SECONDS ?? 2);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LANES = (process.env.LANES ?? "1,8,50").split(",").map(Number);
const LEARNERS = 50;
const only = process.env.PROFILE ?? process.env.ONLY;

const profiles = process.env.PROFILE ? mkdtempSync(join(tmpdir(), "lyceum-profile-")) : null;
const server = await createProcess({
  LOG_LEVEL: "error",
  TRUST_PROXY: "loopback",
  ...(profiles && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
});
await server.start();
const { sessions, post, close } = await openSessions(server.url, LEARNERS);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const base = server.url.replace("localhost", "127.0.0.1");

/** Sends one request and reads its answer. Rejects unless it is 200. */
const send = (url: string, options: RequestOptions = {}, body?: string) =>
  new Promise<Buffer>((resolve, reject) => {
    const call = request(url, { agent, ...options }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () =>
        reply.statusCode === 200
          ? resolve(Buffer.concat(chunks))
          : reject(new Error(`${url}: ${reply.statusCode} ${Buffer.concat(chunks).toString()}`)),
      );
    });
    call.on("error", reject);
    call.end(body);
  });
const tokenOf = async (body: { email: string; password: string }) =>
  (await createClient(server.url).call(auth.signIn, { body })).token;
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const admin = as(await tokenOf(ADMIN));
const people = await Promise.all(
  Array.from({ length: 8 }, async (_, n) => as(await tokenOf({ email: `l${n}@example.com`, password: PASSWORD }))),
);
const learnerOf = (lane: number) => people[lane % people.length] as (typeof people)[number];
const learnerId = sessions[0]?.learner.id as string;
const courseId = sessions[0]?.course.id as string;
const page = (await send(`${base}/login`, { headers: { host: server.url.slice(7) } })).toString();
const asset = /\/assets\/[\w.-]+\.js/.exec(page)?.[0] as string;

const signIn = (lane: number, count: number) =>
  send(
    `${base}${auth.signIn.path}`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `10.${lane}.${count % 250}.${Math.floor(count / 250) % 250}`,
      },
    },
    JSON.stringify({ email: `l${lane}@example.com`, password: PASSWORD }),
  );
const rows: Record<string, (lane: number, count: number) => Promise<unknown>> = {
  commit: post,
  me: (lane) => send(`${base}${auth.me.path}`, learnerOf(lane)),
  myCourses: (lane) => send(`${base}${courses.mine.path}`, learnerOf(lane)),
  course: (lane) => send(`${base}${courses.get.path.replace(":id", courseId)}`, learnerOf(lane)),
  learners50: () => send(`${base}${learners.list.path}?size=50`, admin),
  learnerReport: () => send(`${base}${reports.learner.path.replace(":id", learnerId)}`, admin),
  dashboard: () => send(`${base}${reports.dashboard.path}`, admin),
  signIn,
  health: () => send(`${base}/api/health`),
  asset: () => send(`${base}${asset}`, { headers: { "accept-encoding": "br" } }),
};

const bare = await startBare();
const serverPids = () => [server.pid(), ...processTreeOf(server.postgresPid())];
/** Measures one kind of request: rate per second, and CPU per request in ms of these processes. */
const measure = async (
  lanes: number,
  work: (lane: number, count: number) => Promise<unknown>,
  pids: () => number[],
  seconds = SECONDS,
) => {
  const before = cpuSeconds(pids());
  const result = await load(lanes, seconds, work);
  return { ...result, cpuMs: ((cpuSeconds(pids()) - before) / result.count) * 1000 };
};
/** The monotonic clock of the system, which profiles use too. */
const microseconds = () => Number(process.hrtime.bigint() / 1000n);
/** When the server was measured. */
const measured: [from: number, to: number][] = [];
const bareUrl = `http://127.0.0.1:${bare.port}/`;
const barePids = () => [bare.child.pid as number, ...processTreeOf(server.postgresPid())];

for (const [name, work] of Object.entries(rows)) {
  if (only && !only.split(",").includes(name)) continue;
  for (const lanes of LANES) {
    // The queue of password checks refuses more than this at once.
    if (name === "signIn" && lanes > 8) continue;
    await load(lanes, 0.5, work);
    const figures = [];
    for (let n = 0; n < ROUNDS; n++) {
      const baseline = await measure(lanes, () => send(bareUrl), barePids, SECONDS / 2);
      const from = microseconds();
      const ours = await measure(lanes, work, serverPids);
      measured.push([from, microseconds()]);
      figures.push({ ours, cpu: ours.cpuMs / baseline.cpuMs, rate: ours.rate / baseline.rate });
    }
    console.log(
      JSON.stringify({
        request: name,
        concurrency: lanes,
        cpuRatio: round(median(figures.map(({ cpu }) => cpu))),
        rateRatio: round(median(figures.map(({ rate }) => rate))),
        cpuMs: round(median(figures.map(({ ours }) => ours.cpuMs)), 3),
        perSecond: round(median(figures.map(({ ours }) => ours.rate)), 0),
        p95: round(median(figures.map(({ ours }) => ours.p95)), 1),
      }),
    );
  }
}

bare.child.kill();
agent.destroy();
close();
await server.stop();
if (profiles) console.table(topFunctions(profiles));
await server.remove();

function startBare() {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, "_bareServer.ts"), JSON.stringify(server.connection())],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  return new Promise<{ child: ChildProcess; port: number }>((resolve) =>
    child.stdout?.once("data", (text: Buffer) => resolve({ child, port: Number(text.toString()) })),
  );
}

/**
 * The ten functions with the largest own time while the server was measured, as shares of the time that was not idle.
 */
function topFunctions(folder: string) {
  type Node = { id: number; callFrame: { functionName: string; url: string } };
  type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[]; startTime: number };
  const name = readdirSync(folder).find((file) => file.endsWith(".cpuprofile")) as string;
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Profile;
  const byId = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let time = startTime;
  for (const [at, id] of samples.entries()) {
    time += timeDeltas[at] ?? 0;
    if (!measured.some(([from, to]) => time >= from && time <= to)) continue;
    const { functionName, url } = byId.get(id) as Node["callFrame"];
    const file = url.split("/").slice(-2).join("/");
    const key = `${functionName || "(anonymous)"} ${file}`.trim();
    if (!["(idle)", "(program)", "(root)"].includes(key)) times.set(key, (times.get(key) ?? 0) + (timeDeltas[at] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([key, time]) => ({ function: key, percent: round((time / total) * 100, 1) }));
}
