import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commands, halfway, KIB, MIB, slow, startUploading, until } from "#test/uploadFixture.ts";
import { createXhrTransport } from "#web/core/upload/transportXhr.ts";
import { createTask } from "#web/core/upload/uploadTask.ts";

// Pause, resume, cancel, and continuing after a reload

const { begin, exists, sessionsOf } = await startUploading();

test("sends nothing while paused and continues from the received bytes", async () => {
  const { proxy, task, waitForEnd, isIntact, states } = await begin(20 * MIB, slow);
  await halfway(task);
  expect([task.resume(), task.pause(), task.pause()]).toEqual([false, true, false]);
  await until(() => task.snapshot().state === "paused");
  const before = proxy.seen.length;
  await sleep(80);
  expect([proxy.seen.length, task.cancel(), task.pause()]).toEqual([before, false, false]);
  expect(task.resume()).toBe(true);
  await waitForEnd();
  expect(states).toEqual(["running", "pausing", "paused", "running", "success"]);
  expect(proxy.seen.slice(before, before + 2)).toMatchObject([
    { command: "query" },
    { command: "upload", bytes: 256 * KIB },
  ]);
  expect([await isIntact(), commands(proxy).filter((command) => command === "start").length]).toEqual([true, 1]);
});

test("resumes while still pausing", async () => {
  const { task, waitForEnd, isIntact, states } = await begin(20 * MIB, slow);
  await halfway(task);
  expect([task.pause(), task.resume()]).toEqual([true, true]);
  await waitForEnd();
  expect([states, await isIntact()]).toEqual([["running", "pausing", "running", "success"], true]);
});

test.each(["running", "pausing"] as const)("cancelling from %s cancels the upload on the server", async (from) => {
  const { task, waitForEnd, states, target } = await begin(20 * MIB, slow);
  await halfway(task);
  if (from === "pausing") task.pause();
  expect([task.cancel(), task.cancel(), task.resume(), task.pause()]).toEqual([true, false, false, false]);
  await waitForEnd();
  expect(states.slice(-2)).toEqual(["canceling", "canceled"]);
  expect([
    task.snapshot().isServerInformed,
    (await sessionsOf(target.fullPath)).map(({ status }) => status),
    await exists(target.fullPath),
  ]).toEqual([true, ["cancelled"], false]);
});

test("discards a paused upload even if the server is unreachable", async () => {
  const { proxy, task, waitForEnd } = await begin(20 * MIB, slow);
  await halfway(task);
  task.pause();
  await until(() => task.snapshot().state === "paused");
  await proxy.close();
  expect(task.discard()).toBe(true);
  await waitForEnd();
  expect(task.snapshot()).toMatchObject({ state: "canceled", isServerInformed: false });
});

test("deletes the object if a cancellation comes too late", async () => {
  const { task, waitForEnd, target } = await begin(300 * KIB, ({ command }) =>
    command === "upload, finalize" ? { delayMs: 400 } : undefined,
  );
  await until(() => exists(target.fullPath));
  task.cancel();
  await waitForEnd();
  expect([task.snapshot().state, await exists(target.fullPath)]).toEqual(["canceled", false]);
});

test("continues an upload of an earlier page, or starts it again if it is lost", async () => {
  let session = { url: "", sent: 0 };
  const first = await begin(8 * MIB, slow, {
    onSession: (current) => {
      session = current ?? session;
    },
  });
  await halfway(first.task);
  first.task.stop();
  const { sent } = session;
  const continueFrom = async (url: string) => {
    const task = createTask({
      file: new Blob([first.data]),
      target: first.target,
      protocol: first.protocol,
      pauseMs: () => 5,
      paused: true,
      session: { url, sent },
    });
    await sleep(30);
    expect(task.snapshot()).toMatchObject({ state: "paused", sent });
    task.resume();
    await until(() => task.snapshot().state === "success");
    expect(await first.isIntact()).toBe(true);
  };
  await continueFrom(session.url);
  expect(commands(first.proxy).filter((command) => command === "start").length).toBe(1);
  await continueFrom(session.url.replace(/upload_id=[^&]*/, `upload_id=${randomUUID()}`));
  expect(commands(first.proxy).filter((command) => command === "start").length).toBe(2);
});

test("does not send to URLs outside the object path", async () => {
  const { task, waitForEnd, proxy } = await begin(MIB, undefined, {
    session: { url: "https://x.example/api/learners", sent: 0 },
  });
  await waitForEnd();
  expect([task.snapshot().state, proxy.seen]).toEqual(["error", []]);
});

test("describes the stored file with the names of the product", async () => {
  const { task, waitForEnd, target, data } = await begin(300 * KIB);
  await waitForEnd();
  expect(task.snapshot().stored).toEqual({
    bucket: "lyceum",
    fullPath: target.fullPath,
    name: "a file (1).zip",
    size: data.length,
    contentType: "application/zip",
    contentEncoding: "identity",
    contentDisposition: expect.stringContaining("a%20file"),
    customMetadata: { purpose: "course" },
    md5Hash: createHash("md5").update(data).digest("base64"),
    generation: expect.stringMatching(/^\d+$/),
    metageneration: "1",
    timeCreated: expect.stringMatching(/Z$/),
    updated: expect.stringMatching(/Z$/),
  });
});

test("uploads text in every format, with the media type of a data URL", async () => {
  const target = () => ({
    fullPath: `document/${randomUUID()}/note.txt`,
    customMetadata: { purpose: "document" as const },
  });
  for (const [file, type] of [
    [{ text: "Hello?>", format: "raw" }, "application/octet-stream"],
    [{ text: "SGVsbG8/Pg==", format: "base64" }, "application/octet-stream"],
    [{ text: "SGVsbG8_Pg", format: "base64url" }, "application/octet-stream"],
    [{ text: "data:text/plain,Hello%3F>", format: "data_url" }, "text/plain"],
  ] as const) {
    const { task, waitForEnd } = await begin(0, undefined, { file, target: target() });
    await waitForEnd();
    expect(task.snapshot().stored).toMatchObject({ size: 7, name: "note.txt", contentType: type });
  }
  for (const [text, format, message] of [
    ["data:text/plain", "data_url", "A data URL has the form data:[mediatype][;base64],data."],
    ["data:;base64,ab-_", "data_url", "belongs to base64url"],
    ["a_/b", "base64", "belongs to base64url"],
  ] as const)
    await expect(begin(0, undefined, { file: { text, format }, target: target() })).rejects.toThrow(message);
});

test("refuses negative time settings, and accepts zero", async () => {
  for (const times of [{ longestBackoffMs: -1 }, { cancelTimeoutMs: -0.5 }, { longestBackoffMs: Number.NaN }])
    await expect(begin(1, undefined, { times })).rejects.toThrow();
  expect(() => createXhrTransport({ stalledMs: -1 })).toThrow();
  expect(() => createXhrTransport({ processingMs: -1 })).toThrow();
  let isCut = false;
  const { task, waitForEnd } = await begin(
    300 * KIB,
    () => {
      if (isCut) return undefined;
      isCut = true;
      return { cutAfter: 0 };
    },
    { times: { longestBackoffMs: 0, cancelTimeoutMs: 0 }, pauseMs: undefined as never },
  );
  await waitForEnd();
  expect(task.snapshot().state).toBe("success");
});
