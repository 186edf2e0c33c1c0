import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { createRequestedWork } from "#server/core/requestedWork.ts";
import type { Services } from "#server/core/services.ts";
import { passBatch } from "#server/flows/propagation.ts";
import { createFolding } from "#server/variables/fold/fold.ts";
import { announceStoredValues } from "#server/variables/storedValues.ts";
import { createDispatcher } from "#server/webhooks/dispatcher.ts";

const DELAY_MS = 20;
/** The most batches of a run of the job; the next one continues. */
const MAX_BATCHES = 1000;

/**
 * Processes stored values on this node: folds them, passes them on through the flows, and sends them to webhooks.
 * `request` starts it soon, like `announceStoredValues` on every node; every step continues where any node stopped.
 */
export function createValueWork(services: Services) {
  const dispatcher = createDispatcher(services);
  const passing = createRequestedWork(
    services.log,
    DELAY_MS,
    "values could not be passed on; tried again",
    async () => {
      const { isMore, copies, deliveries } = await passBatch(services);
      if (deliveries > 0) dispatcher.request();
      if (copies > 0) folding.request();
      return isMore;
    },
  );
  const folding = createFolding(services, passing.request);
  dispatcher.start();
  // Null means that changes may have been missed.
  const stopHearing = services.liveChanges.subscribe((change) => {
    if (change === null || change.domain === "storedValues") folding.request();
  });
  return {
    request: folding.request,
    async stop() {
      stopHearing();
      await folding.stop();
      await passing.stop();
      await dispatcher.stop();
    },
  };
}

/** Passes on, every minute, the values that a stopped server left. */
export const passStoredValues = job(
  "flows:pass",
  z.object({}),
  async (services) => {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { isMore, copies } = await passBatch(services);
      if (copies > 0) await announceStoredValues(services.db);
      if (!isMore) return;
    }
  },
  "* * * * *",
);
