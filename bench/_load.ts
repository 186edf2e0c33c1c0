import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/**
 * Runs `work` in `lanes` concurrent loops for `seconds`. Returns count, rate per second, and the median, 95th and 99th
 * percentile of latency in ms.
 */
export async function load(lanes: number, seconds: number, work: (lane: number, round: number) => Promise<unknown>) {
  const times: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let round = 0; performance.now() < until; round++) {
        const sentAt = performance.now();
        await work(lane, round);
        times.push(performance.now() - sentAt);
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    count: times.length,
    rate: times.length / elapsed,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
  };
}

/** CPU seconds used so far by processes and their finished children (Linux; NaN elsewhere). */
export function cpuSeconds(pids: number[]) {
  const secondsOf = (pid: number) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) / 100;
    } catch {
      return 0;
    }
  };
  return process.platform === "linux" ? pids.reduce((sum, pid) => sum + secondsOf(pid), 0) : Number.NaN;
}

/** The ids of a process and of all its descendants (Linux; elsewhere of the process alone). */
export function processTreeOf(pid: number): number[] {
  if (process.platform !== "linux") return [pid];
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // The process has ended in the meantime.
    }
  }
  const withDescendants = (id: number): number[] => [id, ...(children.get(id) ?? []).flatMap(withDescendants)];
  return withDescendants(pid);
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
export const round = (value: number, digits = 2) => Number(value.toFixed(digits));
