import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import { job, startJobs } from "#server/core/jobs.ts";
import { start } from "#test/start.ts";

const { services } = await start();
const quick = job("test:quick", z.object({ n: z.int() }), async () => {
  await sleep(1);
});

test("jobs that end while the server stops leave no unhandled rejection", { timeout: 120_000 }, async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  process.on("unhandledRejection", note);
  for (let round = 0; round < 10; round++) {
    const runner = await startJobs(services, [quick]);
    await inTransaction(services.db, async (tx) => {
      for (let n = 0; n < 40; n++) await quick.enqueue(tx, { n });
    });
    await sleep(5 + round * 5);
    await runner.stop();
  }
  // After this time, waiting for a connection of a closed pool would fail.
  await sleep(11_000);
  process.off("unhandledRejection", note);
  expect(rejections).toEqual([]);
});
