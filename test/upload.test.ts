import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import type { Trouble } from "#test/faultyProxy.ts";
import { commands, halfway, KIB, MIB, slow, startUploading, until } from "#test/uploadFixture.ts";
import { createTask } from "#web/core/upload/uploadTask.ts";
import { RESUMABLE_ABOVE } from "#shared/files.ts";

// The browser's upload task: what cuts, silence, refusals and forgetful servers do to it

const { begin, services, grant, admin } = await startUploading();

test.each([0, 1, RESUMABLE_ABOVE])("%d bytes go in one request", async (bytes) => {
  const { line, task, ends, intact, states } = await begin(bytes);
  await ends();
  expect([commands(line), states, await intact(), task.facts().sent]).toEqual([
    ["multipart"],
    ["running", "success"],
    true,
    bytes,
  ]);
});

test("one byte more is resumable; the last chunk ends it", async () => {
  const { line, ends, intact } = await begin(RESUMABLE_ABOVE + 1);
  await ends();
  expect(
    line.seen.map(({ command, offset, bytes, contentType }) => [
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
  expect(await intact()).toBe(true);
});

test("70 MiB: chunks grow to 32 MiB, progress never exceeds the size", async () => {
  const { line, ends, intact, seenFacts } = await begin(70 * MIB);
  await ends();
  expect(line.seen.slice(1).map(({ bytes }) => bytes / KIB)).toEqual([
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
  expect(await intact()).toBe(true);
  expect(Math.max(...seenFacts.map(({ sent }) => sent))).toBe(70 * MIB);
});

test("a cut is followed by a query, and the upload goes on from what arrived, with small chunks again", async () => {
  let cut = false;
  const { line, ends, intact } = await begin(
    4 * MIB,
    ({ bytes }): Trouble => {
      if (bytes !== 1024 * KIB || cut) return undefined;
      cut = true;
      return { cutAfter: 300_000 };
    },
    { pauseMs: () => 200 },
  );
  await ends();
  expect(line.seen.slice(4, 6)).toMatchObject([{ command: "query" }, { command: "upload", bytes: 256 * KIB }]);
  expect(line.seen[5]?.offset).toBeGreaterThan(768 * KIB);
  expect(await intact()).toBe(true);
});

test.each([1, 2, 3])("random cuts, lost answers and busy servers lose nothing (run %d)", async () => {
  let left = 25;
  const { ends, intact, task } = await begin(12 * MIB, ({ command, bytes }): Trouble => {
    if (left === 0 || Math.random() > 0.5) return undefined;
    left--;
    const kind = Math.random();
    if (kind < 0.4 && bytes > 0 && command !== "start") return { cutAfter: Math.floor(Math.random() * bytes) };
    if (kind < 0.7) return { loseAnswer: true };
    return { answer: { status: [500, 502, 503, 408][Math.floor(Math.random() * 4)] ?? 500 } };
  });
  await ends();
  expect([task.facts().state, await intact()]).toEqual(["success", true]);
});

test("the answer to a finalize is lost: the object is fetched, not sent again", async () => {
  let lost = false;
  const { line, ends, task, intact, target } = await begin(300 * KIB, ({ command }): Trouble => {
    if (command !== "upload, finalize" || lost) return undefined;
    lost = true;
    return { loseAnswer: true };
  });
  await ends();
  expect(commands(line)).toEqual(["start", "upload", "upload, finalize", "query", "GET"]);
  expect([task.facts().state, task.facts().object?.name, await intact()]).toEqual(["success", target.path, true]);
});

test("all bytes there, but not finalized: a finalize without bytes", async () => {
  const { wire, data, target, line, intact, task } = await begin(300 * KIB, undefined, { paused: true });
  task.stop();
  const { signal } = new AbortController();
  const url = await wire.start(target, data.length, signal);
  await wire.chunk(url, new Blob([data]), { offset: 0, last: false, signal });
  const again = createTask({ file: new Blob([data]), target, wire, session: { url, sent: 0 } });
  await until(() => again.facts().state === "success");
  expect([commands(line), await intact()]).toEqual([["start", "upload", "query", "finalize"], true]);
});

test("a forgotten upload begins again by itself, once", async () => {
  const once = await begin(20 * MIB, slow);
  await halfway(once.task);
  await services.db.deleteFrom("uploadSessions").where("fullPath", "=", once.target.path).execute();
  await once.ends();
  expect([commands(once.line).filter((one) => one === "start").length, await once.intact()]).toEqual([2, true]);
  const always = await begin(MIB, ({ command, offset }) =>
    command === "upload" && offset > 0
      ? { answer: { status: 404, body: { code: "files.uploadGone", error: "Gone." } } }
      : undefined,
  );
  await always.ends();
  expect(always.task.facts()).toMatchObject({ state: "error", error: { code: "files.uploadGone" } });
});

test.each([
  ["avatar", 6 * MIB, "files.tooLarge", 1],
  ["avatar", 300 * KIB, "files.wrongType", 3],
  ["avatar", 100, "files.wrongType", 1],
  ["export", MIB, "core.forbidden", 1],
] as const)("%s of %d bytes: %s, at once and for good", async (purpose, bytes, code, requests) => {
  const { line, ends, task } = await begin(bytes, undefined, {
    target: { path: `x/${randomUUID()}`, contentType: "image/png", metadata: { purpose } },
  });
  await ends();
  expect([task.facts().state, (task.facts().error as { code: string }).code, line.seen.length]).toEqual([
    "error",
    code,
    requests,
  ]);
});

test("Retry-After is waited for, and shown", async () => {
  let asked = 0;
  const { ends, seenFacts } = await begin(100, () =>
    asked++ === 0
      ? { answer: { status: 429, headers: { "retry-after": "1" }, body: { code: "core.tooMany", error: "Later." } } }
      : undefined,
  );
  const began = Date.now();
  await ends();
  expect(Date.now() - began).toBeGreaterThan(900);
  expect(seenFacts.find(({ waiting }) => waiting)?.waiting).toMatchObject({ why: "busy" });
});

test("a silent server is asked for a while, then it is an error", async () => {
  const { ends, task, line } = await begin(MIB, () => ({ cutAfter: 0 }));
  await ends();
  expect(task.facts()).toMatchObject({ state: "error", error: { code: "core.network" } });
  expect(line.seen.length).toBe(16);
});

test("without a network it waits without end, and goes on when the network is back", async () => {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("navigator", { onLine: false });
  let online = false;
  const { ends, task, line, intact } = await begin(MIB, () => (online ? undefined : { cutAfter: 0 }), {
    pauseMs: (failures) => (failures < 30 ? 1 : 60_000),
  });
  await until(() => line.seen.length >= 31 && task.facts().waiting !== null);
  expect(task.facts()).toMatchObject({ state: "running", waiting: { why: "offline" } });
  online = true;
  vi.stubGlobal("navigator", { onLine: true });
  window.dispatchEvent(new Event("online"));
  await ends();
  expect(await intact()).toBe(true);
});

test("a token that ended in mid upload is renewed once", async () => {
  let renewed = 0;
  vi.stubGlobal("fetch", async () => {
    renewed++;
    return new Response(JSON.stringify(grant(admin.token)), { status: 200 });
  });
  let requests = 0;
  const { ends, intact } = await begin(MIB, () =>
    ++requests === 3 ? { answer: { status: 401, body: { code: "core.signedOut", error: "Sign in." } } } : undefined,
  );
  await ends();
  expect([await intact(), renewed]).toEqual([true, 1]);
});

test("a page of a hotel network is no answer", async () => {
  let first = true;
  const { ends, intact, line } = await begin(300 * KIB, () => {
    if (!first) return undefined;
    first = false;
    return { answer: { status: 200, body: { welcome: "to the hotel" } } };
  });
  await ends();
  expect([await intact(), commands(line).filter((one) => one === "start").length]).toEqual([true, 2]);
});

test("bytes of a cut request that arrive late: the server is asked again", async () => {
  let times = 0;
  const { ends, intact } = await begin(8 * MIB, ({ command, offset }) =>
    command === "upload" && offset > 0 && times++ < 2
      ? { answer: { status: 409, body: { code: "files.wrongOffset", error: "Not there." } } }
      : undefined,
  );
  await ends();
  expect([await intact(), times > 2]).toEqual([true, true]);
});

test("a proxy that takes small bodies only is given small chunks", async () => {
  const { ends, intact, line } = await begin(6 * MIB, ({ bytes }) =>
    bytes > MIB ? { answer: { status: 413, body: "<html>" } } : undefined,
  );
  await ends();
  expect(await intact()).toBe(true);
  expect(line.seen.filter(({ bytes }) => bytes > MIB).length).toBe(1);
});

test("a file that can no longer be read is an error, not a network that is down", async () => {
  const file = new Blob([new Uint8Array(MIB)]);
  file.slice = () =>
    ({
      size: 1,
      stream: () => {
        throw new Error("gone");
      },
      arrayBuffer: () => Promise.reject(new Error("gone")),
    }) as never;
  const { ends, task } = await begin(0, undefined, { file });
  await ends();
  expect(task.facts()).toMatchObject({ state: "error", error: { code: "files.unreadable" } });
});
