import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { notFound } from "#server/core/http/problem.ts";
import { contentTypeOf, isTextFile } from "#server/player/packageFiles.ts";

/** Bytes of files that are kept in memory. A build has 6 MB in all encodings, of which browsers ask for one. */
const CACHE_BYTES = 16 * 1024 ** 2;

/** Compressed variants that scripts/compress.ts has written, best first: their name in `accept-encoding`, and their ending. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/**
 * Serves `/assets/`: files with a hash in their name, which never change, from memory. Names are taken from the folder once,
 * so that no request touches any other file.
 */
export function serveAssets(app: FastifyInstance, folder: string) {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const files = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length + 1 });
  const read = async (name: string) => {
    const bytes = files.get(name) ?? (await readFile(join(folder, name)));
    // Files that are larger than the whole cache are not kept.
    files.set(name, bytes);
    return bytes;
  };
  app.get("/assets/:name", async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!names.has(name)) throw notFound();
    const accepted = request.headers["accept-encoding"] ?? "";
    const variant = encodings.find(
      ([encoding, ending]) =>
        names.has(name + ending) &&
        new RegExp(`(^|[\\s,])${encoding}\\s*($|,|;(?!\\s*q=0(\\.0*)?\\s*($|,)))`).test(accepted),
    );
    reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("vary", "accept-encoding")
      .type(isTextFile(name) ? `${contentTypeOf(name)}; charset=utf-8` : contentTypeOf(name));
    if (variant) reply.header("content-encoding", variant[0]);
    return reply.send(await read(name + (variant?.[1] ?? "")));
  });
}
