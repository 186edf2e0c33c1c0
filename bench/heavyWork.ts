import { loadavg } from "node:os";
import { startHeavyWork } from "#test/heavyWork.ts";
import { startGenerated } from "./_generated.ts";
import { load, median, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";

/**
 * How heavy work affects learners: the 95th percentile of a commit while each kind of work runs, as a ratio to the one
 * right before it; the delay of the event loop, and the longest wait for a database connection, in ms. `PERCENT`: share
 * of the generator's data.
 */
const LEARNERS = 10;
const QUIET_SECONDS = 4;
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const { server, stop } = await startGenerated(["session_events"], { hasProbe: true });
const { post, close } = await openSessions(server.url, LEARNERS);
const heavy = await startHeavyWork(server, { files: 3000, rules: 900 });
await load(LEARNERS, 2, post);
for (const [name, work] of Object.entries(heavy.work)) {
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const quiet = await load(LEARNERS, QUIET_SECONDS, post);
    await server.readProbe();
    const startedAt = performance.now();
    let isWorking = true;
    const working = work().finally(() => (isWorking = false));
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: LEARNERS }, async (_, lane) => {
        while (isWorking) {
          const sentAt = performance.now();
          await post(lane);
          times.push(performance.now() - sentAt);
        }
      }),
    );
    await working;
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
    rounds.push({
      ratio: p95 / quiet.p95,
      quiet: quiet.p95,
      p95,
      seconds: (performance.now() - startedAt) / 1000,
      ...(await server.readProbe()),
    });
  }
  console.log(
    JSON.stringify({
      work: name,
      ratio: round(median(rounds.map(({ ratio }) => ratio)), 1),
      ratios: rounds.map(({ ratio }) => round(ratio, 1)),
      quietP95: round(median(rounds.map(({ quiet }) => quiet)), 1),
      p95: round(median(rounds.map(({ p95 }) => p95)), 1),
      seconds: round(median(rounds.map(({ seconds }) => seconds)), 1),
      loopDelayMs: round(Math.max(...rounds.map(({ loopDelayMs }) => loopDelayMs)), 0),
      connectionWaitMs: round(Math.max(...rounds.map(({ connectionWaitMs }) => connectionWaitMs)), 0),
      load: loadavg().map((value) => round(value, 1)),
    }),
  );
}
heavy.stop();
close();
await stop();
