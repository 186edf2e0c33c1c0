import { expect, test } from "vitest";
import { backoff } from "#web/core/upload/retryBackoff.ts";
import { retryAfterSeconds } from "#web/core/upload/transport.ts";
import { createSpeed } from "#web/core/upload/speed.ts";
import { transitions, nextChunk } from "#web/core/upload/uploadTask.ts";
import { FIRST_CHUNK, isRetryableStatus, LARGEST_CHUNK, type TaskState } from "#shared/files/files.ts";

const KIB = 1024;

test("allows only the specified state transitions", () => {
  const statesBefore = (to: TaskState) =>
    Object.entries(transitions)
      .filter(([, next]) => next.includes(to))
      .map(([from]) => from);
  expect(statesBefore("pausing")).toEqual(["running"]);
  expect(statesBefore("running")).toEqual(["pausing", "paused"]);
  expect(statesBefore("canceling")).toEqual(["running", "pausing"]);
  expect(statesBefore("paused")).toEqual(["pausing"]);
  expect(statesBefore("canceled")).toEqual(["canceling"]);
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
])("status %d is retried: %s", (status, isRetried) => {
  expect(isRetryableStatus(status)).toBe(isRetried);
});

test("delays double from 1 to 64 seconds, plus up to a second of jitter", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backoff(failures, 0) / 1000)).toEqual([
    1, 2, 4, 8, 16, 32, 64, 64, 64,
  ]);
  expect(backoff(50, 0.999)).toBeCloseTo(64_999);
});

test("reads Retry-After as seconds or a date", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  expect([
    retryAfterSeconds("120", now),
    retryAfterSeconds("Sat, 21 Nov 2026 12:00:30 GMT", now),
    retryAfterSeconds("Sat, 21 Nov 2026 11:00:00 GMT", now),
    retryAfterSeconds("soon", now),
    retryAfterSeconds(null, now),
  ]).toEqual([120, 30, null, null, null]);
});

test("measures the speed of the last four seconds", () => {
  const speed = createSpeed();
  expect([speed.add(0, 10), speed.add(100, 10.3), speed.add(1000, 11)]).toEqual([null, null, 1000]);
  for (let s = 12; s < 30; s++) speed.add(1000 + (s - 11) * 50, s);
  expect(speed.add(1000 + 19 * 50, 30)).toBeCloseTo(50);
});

test("resets the speed after a pause or lost bytes", () => {
  const speed = createSpeed();
  speed.add(0, 0);
  expect(speed.add(1000, 1)).toBe(1000);
  expect(speed.add(1100, 60)).toBeNull();
  expect(speed.add(1200, 61)).toBe(100);
  expect(speed.add(500, 62)).toBeNull();
});
