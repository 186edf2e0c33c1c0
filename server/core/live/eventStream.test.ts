import Fastify from "fastify";
import { connect, type Socket } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { type EventStream, openEventStream } from "#server/core/live/eventStream.ts";
import type { LiveChanges } from "#server/core/live/liveChanges.ts";

const app = Fastify();
const node = { liveChanges: {} as LiveChanges };
const opened: { stream: EventStream; socket: Socket }[] = [];
app.get("/stream/:owner", (request, reply) => {
  const { owner } = request.params as { owner: string };
  opened.push({
    stream: openEventStream(node, { request, reply }, { kind: "changes", id: owner }),
    socket: request.raw.socket,
  });
  return reply;
});
await app.listen({ port: 0, host: "127.0.0.1" });
const { port } = app.server.address() as { port: number };
const browsers: Socket[] = [];
afterAll(async () => {
  for (const browser of browsers) browser.destroy();
  await app.close();
});

/** A browser that has opened a stream, and reads it only when it is told to. */
async function open(owner: string) {
  const before = opened.length;
  const browser = connect(port, "127.0.0.1");
  browsers.push(browser);
  browser.pause();
  browser.write(`GET /stream/${owner} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await vi.waitFor(() => expect(opened.length).toBe(before + 1), 10_000);
  return { browser, ...(opened[before] as (typeof opened)[number]) };
}
const LINES = `data: ${"x".repeat(50_000)}\n\n`;

test("a browser that does not read is disconnected", { timeout: 20_000 }, async () => {
  const { stream, socket } = await open("idle");
  for (let round = 0; round < 2000; round++) {
    stream.write(LINES);
    // What fits into the buffers of the operating system counts as sent.
    if (round % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(stream.signal.aborted).toBe(true);
  expect(socket.writableLength).toBeLessThan(500_000);
  await vi.waitFor(() => expect(socket.destroyed).toBe(true), 10_000);
  expect(socket.writableLength).toBe(0);
});

test("a stream that ends while its browser does not read is closed", { timeout: 20_000 }, async () => {
  const { stream, socket } = await open("ending");
  while (socket.writableLength === 0) {
    stream.write(LINES);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  stream.end();
  await vi.waitFor(() => expect(socket.destroyed).toBe(true), 10_000);
});

test("a browser that reads gets the whole stream", async () => {
  const { browser, stream } = await open("reading");
  let bytes = 0;
  browser.on("data", (piece: Buffer) => (bytes += piece.length)).resume();
  stream.write(LINES.repeat(20));
  stream.end();
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(1_000_000), 10_000);
});

test("the oldest stream of an owner who opens a seventh is told so before it ends", async () => {
  const first = await open("many");
  let heard = "";
  first.browser.on("data", (piece: Buffer) => (heard += piece.toString())).resume();
  for (let more = 0; more < 5; more++) await open("many");
  expect(first.stream.signal.aborted).toBe(false);
  await open("many");
  expect(first.stream.signal.aborted).toBe(true);
  await vi.waitFor(() => expect(heard).toContain("event: displaced\ndata: {}\n\n"), 10_000);
});
