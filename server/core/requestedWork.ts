import { outsideTransaction } from "#server/core/database/transactionScope.ts";
import type { Log } from "#server/core/log.ts";

export type RequestedWork = ReturnType<typeof createRequestedWork>;

/**
 * Work in the background that runs soon after `request()`, one run at a time and again as long as `run` returns true.
 * Requests during the delay are one. `stop` waits for a run.
 */
export function createRequestedWork(log: Log, delayMs: number, failure: string, run: () => Promise<boolean>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  let isStopped = false;

  const request = () => {
    if (isStopped || timer) return;
    timer = outsideTransaction(() =>
      setTimeout(() => {
        running = running.then(runOnce);
      }, delayMs),
    );
    timer.unref();
  };
  const runOnce = async () => {
    timer = undefined;
    try {
      if (!isStopped && (await run())) request();
    } catch (error) {
      log.warn({ err: error }, failure);
    }
  };
  return {
    request,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
