import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { player } from "#shared/player/player.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { reports } from "#shared/reports/reports.ts";
import { events } from "#shared/events/events.ts";
import type { openClass } from "#test/openClass.ts";
import type { Process } from "#test/process.ts";

/** The longest time that busy processes run, in ms: those of a test that has failed would slow down all others. */
const MOST_BUSY_MS = 180_000;

/** Starts processes that use all the processor time they get; the returned function ends them. */
export function startBusyProcesses(count: number) {
  // They also end if this process dies: the system then gives them another parent.
  const code = `
    const parent = process.ppid;
    const until = Date.now() + ${MOST_BUSY_MS};
    for (let n = 1; n % 1e7 || (process.ppid === parent && Date.now() < until); n++);`;
  const busy = Array.from({ length: count }, () => spawn(process.execPath, ["-e", code], { stdio: "ignore" }));
  return () => busy.forEach((child) => child.kill("SIGKILL"));
}

/** Answers of one kind of call: their number by status, 0 without an answer, and those of 503 without `Retry-After`. */
type Answers = { statuses: Record<number, number>; withoutRetry: number };
/** Calls sent at the same time, by kind. */
export type Lanes = { pages: number; reports: number; exports: number; guests: number };

/**
 * Everything but commits at once, until `stop` is called: launches and pages of `people`, and pages, reports and
 * exports of an admin, beside guests. Each lane sends its next call when it has read the answer, after a refusal
 * `pauseMs` later.
 */
export async function startMixedLoad(
  server: Process,
  adminToken: string,
  people: Awaited<ReturnType<typeof openClass>>,
  lanes: Lanes,
  pauseMs = 50,
) {
  const [company] = await server.query<{ id: string }>(
    "select company_id as id from enrolments group by 1 order by count(*) desc limit 1",
  );
  const answers: Record<string, Answers> = {};
  let isRunning = true;
  const send = async (kind: string, path: string, token: string | null, body?: object) => {
    const count = (answers[kind] ??= { statuses: {}, withoutRetry: 0 });
    const reply = await fetch(server.url + path, {
      method: body ? "POST" : "GET",
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
    const status = reply?.status ?? 0;
    count.statuses[status] = (count.statuses[status] ?? 0) + 1;
    if (status === 503 && !reply?.headers.get("retry-after")) count.withoutRetry++;
    for await (const _ of (reply?.body ?? []) as AsyncIterable<Uint8Array>);
    if (status !== 200) await sleep(pauseMs);
  };
  const repeat = async (work: (round: number) => Promise<unknown>) => {
    for (let round = 0; isRunning; round++) await work(round).catch(() => {});
  };
  const times = (count: number, work: (round: number) => Promise<unknown>) =>
    Array.from({ length: count }, () => repeat(work));
  const inTurn = (paths: string[], round: number) => paths[round % paths.length] as string;
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const figures = reports.figures.path.replace(":id", company?.id as string);
  const adminPages = [`${learners.list.path}?size=50`, reports.dashboard.path, `${learners.list.path}?sort=-completed`];
  const exports = [learners.export.path, `${rawData.export.path}?format=csv`, `${learners.export.path}?format=xlsx`];
  const running = [
    ...people.flatMap(({ token, params }, at) => [
      repeat(async (round) => {
        const path = player.launch.path.replace(":companyId", params.companyId).replace(":courseId", params.courseId);
        await send("launch", path, token, { clientId: `again-${at}-${round}`, takeOver: true });
        await sleep(pauseMs);
      }),
      repeat(async () => {
        await send("my courses", courses.mine.path, token);
        await sleep(pauseMs);
      }),
    ]),
    ...times(lanes.pages, (round) => send("page", inTurn(adminPages, round), adminToken)),
    ...times(lanes.reports, (round) => send("report", `${figures}?asOf=${day(30 + (round % 300))}`, adminToken)),
    ...times(lanes.exports, (round) => send("export", inTurn(exports, round), adminToken)),
    ...times(lanes.guests, (round) => send("guest", inTurn([events.list.path, "/", "/events"], round), null)),
  ];
  return {
    async stop() {
      isRunning = false;
      await Promise.all(running);
      return answers;
    },
  };
}
