import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "#server/core/database/db.ts";
import type { Log } from "#server/core/log.ts";

/** A part of a server and how long its end may take, in ms. */
export type StopStep = { name: string; stop: () => unknown; ms: number };

/**
 * Ends the parts one after the other. A part that fails or exceeds its time is logged and skipped, so that a hanging
 * query does not block the shutdown.
 */
export async function stopAll(steps: StopStep[], log: Log) {
  for (const { name, stop, ms } of steps) {
    const expired = Symbol();
    const timer = new AbortController();
    const ended = Promise.resolve(stop()).catch((error: unknown) =>
      log.warn({ err: error, part: name }, "a part did not stop"),
    );
    const first = await Promise.race([ended, sleep(ms, expired, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
    if (first === expired) log.warn({ part: name, ms }, "a part takes too long to stop; going on without it");
  }
}

/**
 * Ends the process with `stop` at SIGINT and SIGTERM, at once at the second signal. Rejections that nobody handles and
 * lost connections are logged and end nothing; after any other error the state of the process is unknown: it stops with
 * code 1, to be started again.
 */
export function guardProcess(log: Log, stop: () => Promise<void>) {
  let isStopping = false;
  const end = async (reason: Record<string, unknown>, code: number) => {
    if (isStopping) return;
    isStopping = true;
    log.info(reason, "stopping");
    await stop().catch((error: unknown) => log.error({ err: error }, "stopping failed"));
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (isStopping ? process.exit(1) : void end({ signal }, 0)));
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a rejection was not handled"));
  process.on("uncaughtException", (error) => {
    if (isUnavailable(error)) return log.warn({ err: error }, "a connection failed");
    log.fatal({ err: error }, "an error was not handled");
    void end({ err: error }, 1);
  });
}
