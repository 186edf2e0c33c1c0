import { outsideTransaction } from "#server/core/database/transactionScope.ts";
import type { Log } from "#server/core/log.ts";

export type RequestedWork = ReturnType<typeof createRequestedWork>;

/**
 * Background work that starts `delayMs` after `request()`, one run at a time, and repeats while `run` returns true.
 * Further requests during the delay have no effect. Errors are logged with the message `failure`. `stop` waits for the
 * current run.
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
