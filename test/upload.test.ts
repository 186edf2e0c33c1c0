import { randomUUID } from "node:crypto";
import { createRandom } from "#server/demo/random.ts";
import { expect, test, vi } from "vitest";
import type { Fault } from "#test/faultyProxy.ts";
import { commands, halfway, KIB, MIB, slow, startUploading, until } from "#test/uploadFixture.ts";
import { createTask } from "#web/core/upload/uploadTask.ts";
import { RESUMABLE_ABOVE } from "#shared/files/files.ts";

// The upload task of the browser: connection failures, refusals and lost uploads

const { begin, services, grant, admin } = await startUploading();

test.each([0, 1, RESUMABLE_ABOVE])("sends %d bytes in one request", async (bytes) => {
  const { proxy, task, waitForEnd, isIntact, states } = await begin(bytes);
  await waitForEnd();
  expect([commands(proxy), states, await isIntact(), task.snapshot().sent]).toEqual([
    ["multipart"],
    ["running", "success"],
    true,
    bytes,
  ]);
});

test("sends one byte more as a resumable upload", async () => {
  const { proxy, waitForEnd, isIntact } = await begin(RESUMABLE_ABOVE + 1);
  await waitForEnd();
  expect(
    proxy.seen.map(({ command, offset, bytes, contentType }) => [
      command,
      offset,
      command === "start" ? 0 : bytes,
      contentType,
    ]),
  ).toEqual([
    ["start", 0, 0, "application/json; charset=utf-8"],
    ["upload", 0, 256 * KIB, undefined],
    ["upload, finalize", 256 * KIB, 1, undefined],
  ]);
  expect(await isIntact()).toBe(true);
});

test("chunks grow to 32 MiB, and progress never exceeds the file size", async () => {
  const { proxy, waitForEnd, isIntact, snapshots } = await begin(70 * MIB);
  await waitForEnd();
  expect(proxy.seen.slice(1).map(({ bytes }) => bytes / KIB)).toEqual([
    256,
    512,
    1024,
    2048,
    4096,
    8192,
    16_384,
    32_768,
    70 * 1024 - 65_280,
  ]);
  expect(await isIntact()).toBe(true);
  expect(Math.max(...snapshots.map(({ sent }) => sent))).toBe(70 * MIB);
});

test("continues from the received bytes with small chunks after a cut", async () => {
  let cut = false;
  const { proxy, waitForEnd, isIntact } = await begin(
    4 * MIB,
    ({ bytes }): Fault => {
      if (bytes !== 1024 * KIB || cut) return undefined;
      cut = true;
      return { cutAfter: 300_000 };
    },
    { pauseMs: () => 200 },
  );
  await waitForEnd();
  expect(proxy.seen.slice(4, 6)).toMatchObject([{ command: "query" }, { command: "upload", bytes: 256 * KIB }]);
  expect(proxy.seen[5]?.offset).toBeGreaterThan(768 * KIB);
  expect(await isIntact()).toBe(true);
});

const SEEDS = (process.env.SEEDS ?? "1,2,3").split(",").map(Number);
test.each(SEEDS)("survives random cuts, lost replies and busy servers (seed %d)", async (seed) => {
  const random = createRandom(seed);
  // As many as the task bears without progress (retryBackoff.ts)
  let remainingFaults = 15;
  const { waitForEnd, isIntact, task } = await begin(12 * MIB, ({ command, bytes }): Fault => {
    if (remainingFaults === 0 || random() > 0.5) return undefined;
    remainingFaults--;
    const kind = random();
    if (kind < 0.4 && bytes > 0 && command !== "start") return { cutAfter: Math.floor(random() * bytes) };
    if (kind < 0.7) return { loseReply: true };
    return { reply: { status: [500, 502, 503, 408][Math.floor(random() * 4)] ?? 500 } };
  });
  await waitForEnd();
  const { state, error } = task.snapshot();
  expect([state, error, await isIntact()]).toEqual(["success", null, true]);
});

test("fetches the object if the reply to finalize is lost", async () => {
  let isReplyLost = false;
  const { proxy, waitForEnd, task, isIntact, target } = await begin(300 * KIB, ({ command }): Fault => {
    if (command !== "upload, finalize" || isReplyLost) return undefined;
    isReplyLost = true;
    return { loseReply: true };
  });
  await waitForEnd();
  expect(commands(proxy)).toEqual(["start", "upload", "upload, finalize", "query", "GET"]);
  expect([task.snapshot().state, task.snapshot().stored?.fullPath, await isIntact()]).toEqual([
    "success",
    target.fullPath,
    true,
  ]);
});

test("finalizes an upload whose bytes are all received", async () => {
  const { protocol, data, target, proxy, isIntact, task } = await begin(300 * KIB, undefined, { paused: true });
  task.stop();
  const { signal } = new AbortController();
  const url = await protocol.start(target, new Blob([data]), signal);
  await protocol.uploadChunk(url, new Blob([data]), { offset: 0, isLast: false, signal });
  const continued = createTask({ file: new Blob([data]), target, protocol, session: { url, sent: 0 } });
  await until(() => continued.snapshot().state === "success");
  expect([commands(proxy), await isIntact()]).toEqual([["start", "upload", "query", "finalize"], true]);
});

test("starts again once if the server has lost the upload", async () => {
  const once = await begin(20 * MIB, slow);
  await halfway(once.task);
  await services.db.deleteFrom("uploadSessions").where("fullPath", "=", once.target.fullPath).execute();
  await once.waitForEnd();
  expect([commands(once.proxy).filter((command) => command === "start").length, await once.isIntact()]).toEqual([
    2,
    true,
  ]);
  const always = await begin(MIB, ({ command, offset }) =>
    command === "upload" && offset > 0
      ? { reply: { status: 404, body: { code: "files.uploadGone", error: "Gone." } } }
      : undefined,
  );
  await always.waitForEnd();
  expect(always.task.snapshot()).toMatchObject({ state: "error", error: { code: "files.uploadGone" } });
});

test.each([
  ["avatar", 6 * MIB, "files.tooLarge", 1],
  ["avatar", 300 * KIB, "files.wrongType", 3],
  ["avatar", 100, "files.wrongType", 1],
  ["export", MIB, "core.forbidden", 1],
] as const)("does not retry %s of %d bytes: %s", async (purpose, bytes, code, requests) => {
  const { proxy, waitForEnd, task } = await begin(bytes, undefined, {
    target: { fullPath: `x/${randomUUID()}`, contentType: "image/png", customMetadata: { purpose } },
  });
  await waitForEnd();
  expect([task.snapshot().state, (task.snapshot().error as { code: string }).code, proxy.seen.length]).toEqual([
    "error",
    code,
    requests,
  ]);
});

test("waits for Retry-After and reports it", async () => {
  let requests = 0;
  const { waitForEnd, snapshots } = await begin(100, () =>
    requests++ === 0
      ? { reply: { status: 429, headers: { "retry-after": "1" }, body: { code: "core.tooMany", error: "Later." } } }
      : undefined,
  );
  const began = Date.now();
  await waitForEnd();
  expect(Date.now() - began).toBeGreaterThan(900);
  expect(snapshots.find(({ waiting }) => waiting)?.waiting).toMatchObject({ reason: "busy" });
});

test("fails after 15 retries without a reply", async () => {
  const { waitForEnd, task, proxy } = await begin(MIB, () => ({ cutAfter: 0 }));
  await waitForEnd();
  expect(task.snapshot()).toMatchObject({ state: "error", error: { code: "core.network" } });
  expect(proxy.seen.length).toBe(16);
});

test("waits while offline and continues when the network is back", async () => {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("navigator", { onLine: false });
  let online = false;
  const { waitForEnd, task, proxy, isIntact } = await begin(MIB, () => (online ? undefined : { cutAfter: 0 }), {
    pauseMs: (failures) => (failures < 30 ? 1 : 60_000),
  });
  await until(() => proxy.seen.length >= 31 && task.snapshot().waiting !== null);
  expect(task.snapshot()).toMatchObject({ state: "running", waiting: { reason: "offline" } });
  online = true;
  vi.stubGlobal("navigator", { onLine: true });
  window.dispatchEvent(new Event("online"));
  await waitForEnd();
  expect(await isIntact()).toBe(true);
});

test("renews a token that expires during an upload", async () => {
  let renewed = 0;
  vi.stubGlobal("fetch", async () => {
    renewed++;
    return new Response(JSON.stringify(grant(admin.token)), { status: 200 });
  });
  let requests = 0;
  const { waitForEnd, isIntact } = await begin(MIB, () =>
    ++requests === 3 ? { reply: { status: 401, body: { code: "core.signedOut", error: "Sign in." } } } : undefined,
  );
  await waitForEnd();
  expect([await isIntact(), renewed]).toEqual([true, 1]);
});

test("treats the page of a captive portal as no reply", async () => {
  let first = true;
  const { waitForEnd, isIntact, proxy } = await begin(300 * KIB, () => {
    if (!first) return undefined;
    first = false;
    return { reply: { status: 200, body: { welcome: "to the hotel" } } };
  });
  await waitForEnd();
  expect([await isIntact(), commands(proxy).filter((command) => command === "start").length]).toEqual([true, 2]);
});

test("queries again if bytes of a cut request arrive late", async () => {
  let times = 0;
  const { waitForEnd, isIntact } = await begin(8 * MIB, ({ command, offset }) =>
    command === "upload" && offset > 0 && times++ < 2
      ? { reply: { status: 409, body: { code: "files.wrongOffset", error: "Not there." } } }
      : undefined,
  );
  await waitForEnd();
  expect([await isIntact(), times > 2]).toEqual([true, true]);
});

test("sends small chunks through a proxy that rejects large bodies", async () => {
  const { waitForEnd, isIntact, proxy } = await begin(6 * MIB, ({ bytes }) =>
    bytes > MIB ? { reply: { status: 413, body: "<html>" } } : undefined,
  );
  await waitForEnd();
  expect(await isIntact()).toBe(true);
  expect(proxy.seen.filter(({ bytes }) => bytes > MIB).length).toBe(1);
});

test("reports an unreadable file instead of a network failure", async () => {
  const file = new Blob([new Uint8Array(MIB)]);
  file.slice = () =>
    ({
      size: 1,
      stream: () => {
        throw new Error("gone");
      },
      arrayBuffer: () => Promise.reject(new Error("gone")),
    }) as never;
  const { waitForEnd, task } = await begin(0, undefined, { file });
  await waitForEnd();
  expect(task.snapshot()).toMatchObject({ state: "error", error: { code: "files.unreadable" } });
});
