import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commands, halfway, KIB, MIB, slow, startUploading, until } from "#test/uploadFixture.ts";
import { createTask } from "#web/core/upload/uploadTask.ts";

// Pause, resume, cancel, and going on after a reload

const { begin, exists, sessionsOf } = await startUploading();

test("pause and resume: nothing is sent in between, and it goes on where the server is", async () => {
  const { line, task, ends, intact, states } = await begin(20 * MIB, slow);
  await halfway(task);
  expect([task.resume(), task.pause(), task.pause()]).toEqual([false, true, false]);
  await until(() => task.facts().state === "paused");
  const before = line.seen.length;
  await sleep(80);
  expect([line.seen.length, task.cancel(), task.pause()]).toEqual([before, false, false]);
  expect(task.resume()).toBe(true);
  await ends();
  expect(states).toEqual(["running", "pausing", "paused", "running", "success"]);
  expect(line.seen.slice(before, before + 2)).toMatchObject([
    { command: "query" },
    { command: "upload", bytes: 256 * KIB },
  ]);
  expect([await intact(), commands(line).filter((one) => one === "start").length]).toEqual([true, 1]);
});

test("resume while it is still pausing", async () => {
  const { task, ends, intact, states } = await begin(20 * MIB, slow);
  await halfway(task);
  expect([task.pause(), task.resume()]).toEqual([true, true]);
  await ends();
  expect([states, await intact()]).toEqual([["running", "pausing", "running", "success"], true]);
});

test.each(["running", "pausing"] as const)("cancel from %s ends the upload on the server", async (from) => {
  const { task, ends, states, target } = await begin(20 * MIB, slow);
  await halfway(task);
  if (from === "pausing") task.pause();
  expect([task.cancel(), task.cancel(), task.resume(), task.pause()]).toEqual([true, false, false, false]);
  await ends();
  expect(states.slice(-2)).toEqual(["canceling", "canceled"]);
  expect([
    task.facts().ended,
    (await sessionsOf(target.path)).map(({ status }) => status),
    await exists(target.path),
  ]).toEqual([true, ["cancelled"], false]);
});

test("discard also works from paused; a server that is away is told later", async () => {
  const { line, task, ends } = await begin(20 * MIB, slow);
  await halfway(task);
  task.pause();
  await until(() => task.facts().state === "paused");
  await line.close();
  expect(task.discard()).toBe(true);
  await ends();
  expect(task.facts()).toMatchObject({ state: "canceled", ended: false });
});

test("a cancel that comes too late takes the object away", async () => {
  const { task, ends, target } = await begin(300 * KIB, ({ command }) =>
    command === "upload, finalize" ? { delayMs: 400 } : undefined,
  );
  await until(() => exists(target.path));
  task.cancel();
  await ends();
  expect([task.facts().state, await exists(target.path)]).toEqual(["canceled", false]);
});

test("an upload of an earlier page goes on, or is sent again when the server forgot it", async () => {
  let session = { url: "", sent: 0 };
  const first = await begin(8 * MIB, slow, {
    onSession: (now) => {
      session = now ?? session;
    },
  });
  await halfway(first.task);
  first.task.stop();
  const { sent } = session;
  const go = async (url: string) => {
    const task = createTask({
      file: new Blob([first.data]),
      target: first.target,
      wire: first.wire,
      pauseMs: () => 5,
      paused: true,
      session: { url, sent },
    });
    await sleep(30);
    expect(task.facts()).toMatchObject({ state: "paused", sent });
    task.resume();
    await until(() => task.facts().state === "success");
    expect(await first.intact()).toBe(true);
  };
  await go(session.url);
  expect(commands(first.line).filter((one) => one === "start").length).toBe(1);
  await go(session.url.replace(/upload_id=[^&]*/, `upload_id=${randomUUID()}`));
  expect(commands(first.line).filter((one) => one === "start").length).toBe(2);
});

test("an address on another path is not followed", async () => {
  const { task, ends, line } = await begin(MIB, undefined, {
    session: { url: "https://x.example/api/learners", sent: 0 },
  });
  await ends();
  expect([task.facts().state, line.seen]).toEqual(["error", []]);
});
