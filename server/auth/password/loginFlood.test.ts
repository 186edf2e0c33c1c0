import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { academies } from "#shared/settings/settings.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();

test("keeps answering other requests during a flood of logins, and limits the flood", async () => {
  const { learner } = await make.classroom();
  const begin = performance.now();
  const flood = Array.from({ length: 300 }, (_, n) =>
    as(null, { "x-forwarded-for": `10.${n}.1.1` })(auth.signIn, {
      body: { email: `flood-${randomUUID()}@example.com`, password: "wrong" },
    }),
  );
  const flooding = new AbortController();
  const answered = Promise.all(flood).finally(() => flooding.abort());
  const waited = [];
  while (!flooding.signal.aborted) {
    const startedAt = performance.now();
    expect((await as(null)(academies.read)).status).toBe(200);
    expect((await as(learner)(auth.me)).status).toBe(200);
    waited.push(performance.now() - startedAt);
  }
  const replies = await answered;
  const length = performance.now() - begin;
  const refused = replies.filter(({ status }) => status !== 401);
  expect(refused.length).toBeGreaterThan(100);
  for (const { status, code, headers } of refused)
    expect([status, code, headers["retry-after"]]).toEqual([429, "auth.busy", "2"]);
  // The first round is sent at the same moment as the flood. The others take 3 % of it, and 12 % without the queue.
  expect(Math.max(...waited.slice(1))).toBeLessThan(length / 10);
});
