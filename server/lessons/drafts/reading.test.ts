import { expect, test } from "vitest";
import { readLessons } from "#server/lessons/drafts/reading.ts";

test("few orders wait for a thread, and threads are free again afterwards", async () => {
  const orders = Array.from({ length: 30 }, (_, n) => readLessons([{ id: `lesson-${n}`, updates: [] }]));
  const results = await Promise.allSettled(orders);
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as object] : []));
  expect(refused).toHaveLength(8);
  for (const reason of refused) expect(reason).toMatchObject({ status: 503, code: "core.overloaded" });
  const replies = await Promise.all([1, 2].map((n) => readLessons([{ id: `later-${n}`, updates: [] }])));
  expect(replies.map((reply) => [...reply.keys()])).toEqual([["later-1"], ["later-2"]]);
});
