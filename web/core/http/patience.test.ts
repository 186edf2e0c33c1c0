import { expect, test, vi } from "vitest";
import { sendPatiently } from "#web/core/http/patience.ts";

const refusal = (seconds = 3, code = "core.overloaded") =>
  new Response(JSON.stringify({ error: "Busy", code }), { status: 503, headers: { "retry-after": String(seconds) } });

/** Sends with a fake clock, and returns the status and when requests were sent, in ms. */
async function sendAgainst(answers: Response[], signal?: AbortSignal) {
  vi.useFakeTimers();
  const startedAt = Date.now();
  const sentAt: number[] = [];
  try {
    const answer = sendPatiently(async () => {
      sentAt.push(Date.now() - startedAt);
      return answers.shift() ?? new Response("{}");
    }, signal);
    answer.catch(() => {});
    await vi.advanceTimersByTimeAsync(120_000);
    return { status: (await answer).status, sentAt };
  } finally {
    vi.useRealTimers();
  }
}

test("repeats a request after the pause that an overloaded server asks for", async () => {
  const { status, sentAt } = await sendAgainst([refusal(3)]);
  expect(status).toBe(200);
  expect(sentAt).toHaveLength(2);
  expect(sentAt[1]).toBeGreaterThanOrEqual(3000);
  expect(sentAt[1]).toBeLessThanOrEqual(4500);
});

test("gives up after the second repeat", async () => {
  const { status, sentAt } = await sendAgainst([refusal(), refusal(), refusal(), refusal()]);
  expect(status).toBe(503);
  expect(sentAt).toHaveLength(3);
});

test("does not repeat what may have had an effect", async () => {
  for (const answer of [refusal(1, "core.unavailable"), new Response("proxy", { status: 503 })])
    expect((await sendAgainst([answer])).sentAt).toHaveLength(1);
});

test("ends the pause with the page that asked", async () => {
  const leaving = new AbortController();
  leaving.abort(new Error("left"));
  await expect(sendAgainst([refusal()], leaving.signal)).rejects.toThrow("left");
});
