import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { Problem } from "#server/core/http/problem.ts";
import { readMultipart } from "#server/files/multipart.ts";

const read = async (contentType: string) => readMultipart(contentType, Readable.from([]));

test("rejects boundaries that are not 1 to 70 characters (RFC 2046, 5.1.1)", async () => {
  for (const boundary of ["", '""', "b".repeat(71), "b".repeat(400), `"${"b".repeat(400)}"`, ";"]) {
    const refused = await read(`multipart/related; boundary=${boundary}`).catch((error: unknown) => error);
    expect([boundary, refused instanceof Problem && refused.status]).toEqual([boundary, 400]);
  }
});
