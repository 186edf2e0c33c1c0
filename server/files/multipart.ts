import type { Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";
import { Problem } from "#server/core/http/problem.ts";

/** Largest JSON part, in bytes. */
const MAX_DESCRIPTION_BYTES = 64 * 1024;

/**
 * Reads a `multipart/related` body (RFC 2387) of two parts: a JSON description, then the bytes. Resolves once the
 * description is read; the bytes are a stream. A body that is cut off ends the stream with an error.
 */
export function readMultipart(
  contentType: string,
  request: Readable,
): Promise<{ description: unknown; body: Readable }> {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^";\s]{1,70})(?=[;\s]|$))/i.exec(contentType);
  if (!/^multipart\/related/i.test(contentType) || !boundary)
    throw unreadable("its Content-Type is not multipart/related with a boundary");
  return new Promise((resolve, reject) => {
    const dicer = new Dicer({ boundary: (boundary[1] ?? boundary[2]) as string });
    let description: Promise<unknown> | null = null;
    let body: Readable | null = null;
    dicer.on("part", (part: Readable) => {
      if (!description) {
        description = readJson(part);
        description.catch(reject);
      } else if (!body) {
        body = part;
        // A broken request must not look like the end of the file.
        part.on("error", () => {});
        description.then(
          (read) => resolve({ description: read, body: part }),
          () => part.resume(),
        );
      } else part.resume();
    });
    dicer.on("finish", () => body ?? reject(unreadable("it needs two parts, the description and the bytes")));
    dicer.on("error", (error: Error) => {
      body?.destroy(error);
      reject(unreadable("it is incomplete"));
    });
    request.on("aborted", () => {
      body?.destroy(new Error("the connection was cut"));
      reject(unreadable("the connection was cut"));
    });
    request.pipe(dicer);
  });
}

async function readJson(part: Readable): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of part) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_DESCRIPTION_BYTES) throw unreadable("its description is too long");
    chunks.push(chunk as Buffer);
  }
  return parseJson(Buffer.concat(chunks).toString("utf8"));
}

export function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("its description is not JSON");
  }
}

export const unreadable = (reason: string) => new Problem(400, "files.badRequest", { values: { reason } });
