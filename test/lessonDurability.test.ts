import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { answerMeanwhile } from "#test/answering.ts";
import { scaled } from "#test/long.ts";
import { createProcess } from "#test/process.ts";

// Server and database are killed while learners answer graded questions

const ROUNDS = scaled(1, 25);
const server = await createProcess();
afterAll(() => server.remove());

test(
  "no acknowledged answer is lost, and none counts twice",
  async () => {
    await server.start();
    const answering = await answerMeanwhile(server, { learners: scaled(10, 20), pauseMs: 40 });
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(1000);
      await server.kill();
      await server.start();
      await sleep(500);
      process.kill(server.postgresPid(), "SIGKILL");
      await sleep(1000);
    }
    const learners = await answering.stop();
    for (const { answered, acknowledged, held, stored, results, expected } of learners) {
      expect(held).toBe(0);
      expect(answered).toBeGreaterThanOrEqual(acknowledged);
      expect(stored).toBe(answered);
      expect(results).toEqual(expected);
    }
    expect(Math.min(...learners.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(0);
  },
  scaled(180_000, 900_000),
);
