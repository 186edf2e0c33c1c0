import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "#web/events/registration/sha256.ts";

test("agrees with node:crypto for lengths around the block size", () => {
  for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 200]) {
    const text = "é".repeat(length % 7) + "a".repeat(length);
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
});
