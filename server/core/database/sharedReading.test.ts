import { afterEach, expect, test, vi } from "vitest";
import { shareReading } from "#server/core/database/sharedReading.ts";
import type { Services } from "#server/core/services.ts";

const node = { pool: {} as Services["pool"] };
afterEach(() => void vi.restoreAllMocks());

test("concurrent requests with the same key share one reading", async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const read = vi.fn(() => promise);
  const first = shareReading(node, ["report", 1], read);
  const same = shareReading(node, ["report", 1], read);
  const others = [
    shareReading(node, ["report", 2], async () => 7),
    shareReading({ pool: {} as Services["pool"] }, ["report", 1], async () => 8),
  ];
  resolve(1);
  expect(await Promise.all([first, same, ...others])).toEqual([1, 1, 7, 8]);
  expect(read).toHaveBeenCalledOnce();
  expect(await shareReading(node, ["report", 1], async () => 2)).toBe(2);
});

test("a reading that is older than a second is not shared", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const slow = Promise.withResolvers<number>();
  const first = shareReading(node, ["slow"], () => slow.promise);
  clock.mockReturnValue(1000);
  const second = shareReading(node, ["slow"], async () => 2);
  expect(await second).toBe(2);
  slow.resolve(1);
  expect(await first).toBe(1);
});

test("a reading that fails is not kept", async () => {
  await expect(shareReading(node, ["broken"], () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await shareReading(node, ["broken"], async () => 3)).toBe(3);
});
