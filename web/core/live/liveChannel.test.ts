import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followChanges } from "#web/core/live/liveChannel.ts";
import { setGrant } from "#web/core/session/token.ts";
import { followAnswer } from "#web/conversations/followAnswer.ts";
import type { User } from "#shared/core/users.ts";

const DISPLACED = "event: displaced\ndata: {}\n\n";
const MINUTE = 60_000;
let attempts: number[] = [];
let ages: number[] = [];
let reply: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  attempts = [];
  ages = [];
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("fetch", async (address: string) => {
    attempts.push(Date.now());
    ages.push(Number(new URL(address, "http://x").searchParams.get("age")));
    return reply();
  });
  const expiresAt = new Date(Date.now() + 600 * MINUTE).toISOString();
  setGrant({ user: { id: "1" } as unknown as User, token: "a token", expiresAt });
});
afterEach(() => {
  setGrant(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const attemptsIn = async (ms: number) => {
  const before = attempts.length;
  await vi.advanceTimersByTimeAsync(ms);
  return attempts.length - before;
};

test.for([
  ["displaced by others", () => new Response(DISPLACED)],
  ["refused", () => new Response(null, { status: 503 })],
  ["ended at once", () => new Response("retry: 2000\n\n")],
] as const)("a tab whose stream is %s tries again, and less often each time", async ([name, answer]) => {
  reply = answer;
  const stop = followChanges(Date.now());
  const first = await attemptsIn(5 * MINUTE);
  expect(first).toBeGreaterThan(1);
  expect(first).toBeLessThan(name === "displaced by others" ? 6 : 20);
  expect(await attemptsIn(60 * MINUTE)).toBeGreaterThan(8);
  expect(await attemptsIn(5 * MINUTE)).toBeLessThan(name === "displaced by others" ? 3 : 15);
  stop();
});

test("a stream requests changes since the page was loaded, and since the last stream", async () => {
  reply = () => new Response("retry: 2000\n\n");
  const stop = followChanges(Date.now() - 2500);
  await vi.advanceTimersByTimeAsync(30_000);
  stop();
  expect(ages[0]).toBeGreaterThanOrEqual(2500);
  expect(ages[0]).toBeLessThan(10_000);
  const waited = (attempts[2] as number) - (attempts[1] as number);
  expect(ages[2]).toBeGreaterThanOrEqual(waited);
  expect(ages[2]).toBeLessThan(waited + 10_000);
});

test("a window displaced in the middle of an answer reconnects rarely, then continues", async () => {
  const event = (from: number) => `data: ${JSON.stringify({ type: "text", from, text: "x" })}\n\n`;
  let text = "";
  const client = {
    openStream: async (_id: string, from: number) => {
      attempts.push(Date.now());
      const { body } = new Response(event(from) + DISPLACED);
      return (body as NonNullable<typeof body>).pipeThrough(new TextDecoderStream()).getReader();
    },
  };
  const stop = followAnswer(
    client as never,
    { id: "1", text: "" },
    {
      onText: (next) => (text = next),
      onEnd: () => {},
      onGone: () => {},
      onConnection: () => {},
    },
  );
  expect(await attemptsIn(MINUTE)).toBeLessThan(12);
  expect(text).toBe("x".repeat(attempts.length));
  expect(await attemptsIn(MINUTE)).toBeGreaterThan(3);
  stop();
});
