import { createHash, randomFillSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { setGrant } from "#web/core/session/token.ts";
import { createTask, type TaskFacts } from "#web/core/upload/uploadTask.ts";
import { createUploadProtocol } from "#web/core/upload/uploadProtocol.ts";
import { auth } from "#shared/auth.ts";
import { LARGEST_CHUNK, objectAddress } from "#shared/files.ts";
import { createBadNetwork } from "#test/badNetwork.ts";
import { createClient } from "#test/client.ts";
import { sendTo } from "#test/faultyProxy.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// The browser's own upload task against a real server process, with a network like a train's between them

const MIB = 1024 ** 2;
const server = await createProcess();
await server.start();
const network = await createBadNetwork(() => Number(new URL(server.url).port), {
  busy: 0.05,
  cut: 0.08,
  pace: 150 * MIB,
});
const { token, user } = await createClient(server.url).call(auth.signIn, { body: ADMIN });
setGrant({ token, user, expiresAt: new Date(Date.now() + 600_000).toISOString() });
afterAll(async () => {
  await network.stop();
  await server.remove();
});

const fill = (bytes: number) => randomFillSync(Buffer.alloc(bytes));
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const read = async (path: string) => {
  const reply = await fetch(`${server.url}${objectAddress(path)}?alt=media`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: reply.status, sha256: hash(Buffer.from(await reply.arrayBuffer())) };
};
const begin = (path: string, bytes: Buffer, port: number, more: Partial<Parameters<typeof createTask>[0]> = {}) =>
  createTask({
    file: new Blob([bytes as never]),
    target: { path, contentType: "application/octet-stream", metadata: { purpose: "course" } },
    wire: createUploadProtocol(sendTo(port)),
    pauseMs: (failures) => Math.min(2000, 200 * 2 ** failures),
    ...more,
  });
const ended = async (facts: () => TaskFacts) => {
  for (let tries = 0; tries < 3000 && !["success", "error", "canceled"].includes(facts().state); tries++)
    await sleep(50);
  return facts();
};

test(
  "300 MB over cuts, 503s and a slow line, with the server killed in the middle, arrive as they are",
  { timeout: 240_000 },
  async () => {
    const bytes = fill(300 * MIB);
    const task = begin("train/large.bin", bytes, network.port);
    for (let tries = 0; tries < 2000 && task.facts().sent < 120 * MIB; tries++) await sleep(20);
    await server.kill();
    await server.start();
    const facts = await ended(task.facts);
    expect([facts.state, facts.error]).toEqual(["success", null]);
    expect(await read("train/large.bin")).toEqual({ status: 200, sha256: hash(bytes) });
    expect(network.count.cuts).toBeGreaterThan(2);
    // A cut costs what was between the two ends of the line, the kill at most one chunk.
    const twice = network.count.sent - bytes.length;
    expect(twice).toBeLessThan(LARGEST_CHUNK + network.count.cuts * 2 * MIB);
  },
);

test("another browser session goes on where the first one fell silent", { timeout: 60_000 }, async () => {
  const bytes = fill(40 * MIB);
  let session: { url: string; sent: number } | null = null;
  const first = begin("train/laptop.bin", bytes, network.port, {
    onSession: (known) => {
      session = known;
    },
  });
  for (let tries = 0; tries < 2000 && first.facts().sent < 10 * MIB; tries++) await sleep(10);
  first.stop();
  const before = network.count.sent;
  const second = begin("train/laptop.bin", bytes, network.port, { session });
  expect((await ended(second.facts)).state).toBe("success");
  expect(await read("train/laptop.bin")).toEqual({ status: 200, sha256: hash(bytes) });
  expect(network.count.sent - before).toBeLessThan(bytes.length);
});

test("many uploads at once do not grow the server", { timeout: 120_000 }, async () => {
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"))?.[1] ?? 0) / 1024;
  if (process.platform !== "linux") return;
  const bytes = fill(60 * MIB);
  const { port } = new URL(server.url);
  expect((await ended(begin("many/warm.bin", bytes, Number(port)).facts)).state).toBe("success");
  const idle = rss();
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, rss());
  }, 50);
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) => ended(begin(`many/${n}.bin`, bytes, Number(port)).facts)),
  );
  clearInterval(watch);
  expect(all.map(({ state }) => state)).toEqual(Array(10).fill("success"));
  expect(peak - idle).toBeLessThan(100);
});
