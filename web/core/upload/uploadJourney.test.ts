import { createHash, randomFillSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { setGrant } from "#web/core/session/token.ts";
import { createTask, type TaskSnapshot } from "#web/core/upload/uploadTask.ts";
import { createUploadProtocol } from "#web/core/upload/uploadProtocol.ts";
import { auth } from "#shared/auth/auth.ts";
import { LARGEST_CHUNK, objectAddress } from "#shared/files/files.ts";
import { createBadNetwork } from "#test/badNetwork.ts";
import { createClient } from "#test/client.ts";
import { createTransport } from "#test/faultyProxy.ts";
import { scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// The upload task of the browser against a real server process, over an unreliable network

const MIB = 1024 ** 2;
const server = await createProcess();
await server.start();
const network = await createBadNetwork(() => Number(new URL(server.url).port), {
  busy: 0.05,
  cut: scaled(0.2, 0.08),
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
const begin = (path: string, bytes: Buffer, port: number, options: Partial<Parameters<typeof createTask>[0]> = {}) =>
  createTask({
    file: new Blob([bytes as never]),
    target: { fullPath: path, contentType: "application/octet-stream", customMetadata: { purpose: "course" } },
    protocol: createUploadProtocol(createTransport(port)),
    pauseMs: (failures) => Math.min(2000, 200 * 2 ** failures),
    ...options,
  });
const waitForEnd = async (snapshot: () => TaskSnapshot) => {
  for (let tries = 0; tries < 3000 && !["success", "error", "canceled"].includes(snapshot().state); tries++)
    await sleep(50);
  return snapshot();
};

test("uploads a large file intact over an unreliable network and a server restart", { timeout: 240_000 }, async () => {
  const bytes = fill(scaled(60, 300) * MIB);
  const task = begin("network/large.bin", bytes, network.port);
  for (let tries = 0; tries < 2000 && task.snapshot().sent < 25 * MIB; tries++) await sleep(20);
  await server.kill();
  await server.start();
  const result = await waitForEnd(task.snapshot);
  expect([result.state, result.error]).toEqual(["success", null]);
  expect(await read("network/large.bin")).toEqual({ status: 200, sha256: hash(bytes) });
  expect(network.count.cuts).toBeGreaterThan(2);
  // A cut costs the bytes in transit, the restart at most one chunk.
  const resentBytes = network.count.sent - bytes.length;
  expect(resentBytes).toBeLessThan(LARGEST_CHUNK + network.count.cuts * 2 * MIB);
});

test("another browser session continues an upload that stopped", { timeout: 60_000 }, async () => {
  const bytes = fill(40 * MIB);
  let session: { url: string; sent: number } | null = null;
  const first = begin("network/laptop.bin", bytes, network.port, {
    onSession: (current) => {
      session = current;
    },
  });
  for (let tries = 0; tries < 2000 && first.snapshot().sent < 10 * MIB; tries++) await sleep(10);
  first.stop();
  const before = network.count.sent;
  const second = begin("network/laptop.bin", bytes, network.port, { session });
  expect((await waitForEnd(second.snapshot)).state).toBe("success");
  expect(await read("network/laptop.bin")).toEqual({ status: 200, sha256: hash(bytes) });
  expect(network.count.sent - before).toBeLessThan(bytes.length);
});

test("ten parallel uploads add less than 100 MB of server memory", { timeout: 120_000 }, async () => {
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"))?.[1] ?? 0) / 1024;
  if (process.platform !== "linux") return;
  const bytes = fill(scaled(20, 60) * MIB);
  const { port } = new URL(server.url);
  expect((await waitForEnd(begin("many/warm.bin", bytes, Number(port)).snapshot)).state).toBe("success");
  const idle = rss();
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, rss());
  }, 50);
  const snapshots = await Promise.all(
    Array.from({ length: 10 }, (_, n) => waitForEnd(begin(`many/${n}.bin`, bytes, Number(port)).snapshot)),
  );
  clearInterval(watch);
  expect(snapshots.map(({ state }) => state)).toEqual(Array(10).fill("success"));
  expect(peak - idle).toBeLessThan(100);
});
