import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "#web/events/registration/sha256.ts";

test("every length around a block agrees with the library", () => {
  for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 200]) {
    const text = "é".repeat(length % 7) + "a".repeat(length);
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
});
