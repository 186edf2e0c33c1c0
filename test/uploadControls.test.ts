import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commands, halfway, KIB, MIB, slow, startUploading, until } from "#test/uploadFixture.ts";
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
    (await sessionsOf(target.path)).map(({ status }) => status),
    await exists(target.path),
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
  await until(() => exists(target.path));
  task.cancel();
  await waitForEnd();
  expect([task.snapshot().state, await exists(target.path)]).toEqual(["canceled", false]);
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
