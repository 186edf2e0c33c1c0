import { expect, test } from "vitest";
import { idleSpans, talkTimes } from "#web/reports/replay/timeline.ts";

const MINUTE = 60_000;

test("a conversation with pauses to read and write is no time without events", () => {
  const messages = [18, 19.5, 21, 23.5].map((minute) => minute * MINUTE);
  expect(idleSpans([17 * MINUTE, ...talkTimes(messages)], 24 * MINUTE)).toEqual([{ from: 0, to: 17 * MINUTE }]);
});

test("a longer pause between messages is", () => {
  expect(idleSpans([0, ...talkTimes([MINUTE, 8 * MINUTE])], 8 * MINUTE)).toEqual([{ from: MINUTE, to: 8 * MINUTE }]);
});

test("messages at the same time, and none, are fine", () => {
  expect(talkTimes([])).toEqual([]);
  expect(idleSpans(talkTimes([0, 0]), 1000)).toEqual([]);
});
