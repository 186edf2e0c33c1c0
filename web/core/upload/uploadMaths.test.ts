import { expect, test } from "vitest";
import { backoff } from "#web/core/upload/retryBackoff.ts";
import { secondsOf } from "#web/core/upload/transport.ts";
import { createSpeed } from "#web/core/upload/speed.ts";
import { moves, nextChunk } from "#web/core/upload/uploadTask.ts";
import { FIRST_CHUNK, isRetryableStatus, LARGEST_CHUNK, type TaskState } from "#shared/files.ts";

const KIB = 1024;

test("each state goes where the specification lets it go, and nowhere else", () => {
  const may = (to: TaskState) =>
    Object.entries(moves)
      .filter(([, next]) => next.includes(to))
      .map(([from]) => from);
  expect(may("pausing")).toEqual(["running"]);
  expect(may("running")).toEqual(["pausing", "paused"]);
  expect(may("canceling")).toEqual(["running", "pausing"]);
  expect(may("paused")).toEqual(["pausing"]);
  expect(may("canceled")).toEqual(["canceling"]);
});

test("chunks double from 256 KiB to 32 MiB", () => {
  const sizes = [FIRST_CHUNK];
  while (sizes.length < 10) sizes.push(nextChunk(sizes.at(-1) ?? 0));
  expect(sizes.map((size) => size / KIB)).toEqual([256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 32_768, 32_768]);
  expect(sizes.at(-1)).toBe(LARGEST_CHUNK);
});

test.each([
  [500, true],
  [503, true],
  [599, true],
  [408, true],
  [429, true],
  [400, false],
  [401, false],
  [402, false],
  [403, false],
  [404, false],
  [413, false],
])("%d is tried again: %s", (status, again) => {
  expect(isRetryableStatus(status)).toBe(again);
});

test("pauses double from one second to 64, with up to a second on top", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backoff(failures, 0) / 1000)).toEqual([
    1, 2, 4, 8, 16, 32, 64, 64, 64,
  ]);
  expect(backoff(50, 0.999)).toBeCloseTo(64_999);
});

test("Retry-After is seconds or a date", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  expect([
    secondsOf("120", now),
    secondsOf("Sat, 21 Nov 2026 12:00:30 GMT", now),
    secondsOf("Sat, 21 Nov 2026 11:00:00 GMT", now),
    secondsOf("soon", now),
    secondsOf(null, now),
  ]).toEqual([120, 30, null, null, null]);
});

test("the speed is that of the last four seconds", () => {
  const speed = createSpeed();
  expect([speed.note(0, 10), speed.note(100, 10.3), speed.note(1000, 11)]).toEqual([null, null, 1000]);
  for (let s = 12; s < 30; s++) speed.note(1000 + (s - 11) * 50, s);
  expect(speed.note(1000 + 19 * 50, 30)).toBeCloseTo(50);
});

test("a pause or bytes that were lost are no speed", () => {
  const speed = createSpeed();
  speed.note(0, 0);
  expect(speed.note(1000, 1)).toBe(1000);
  expect(speed.note(1100, 60)).toBeNull();
  expect(speed.note(1200, 61)).toBe(100);
  expect(speed.note(500, 62)).toBeNull();
});
