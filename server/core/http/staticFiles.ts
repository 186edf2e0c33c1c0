import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { contentTypeOf, isTextFile } from "#server/core/http/contentTypes.ts";
import { chooseEncoding, matchesEtag } from "#server/core/http/preparedBytes.ts";
import { notFound } from "#server/core/http/problem.ts";

/**
 * The most bytes of files of one folder that are kept in memory. A build has 6 MB in all encodings together, and
 * browsers ask for one of them.
 */
const CACHE_BYTES = 16 * 1024 ** 2;
/** Variants that scripts/compress.ts has written. */
const endings = { br: ".br", gzip: ".gz" };
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the files of a folder of the build from memory. The folder is listed once, so no request can reach any other
 * file. `send` throws 404 for other names.
 */
function openFolder(folder: string) {
  const names = new Set(
    (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map(({ name }) => name),
  );
  const files = new LRUCache<string, { bytes: Buffer; etag: string }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const read = async (name: string) => {
    const cached = files.get(name);
    if (cached) return cached;
    const bytes = await readFile(join(folder, name));
    const file = { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
    files.set(name, file);
    return file;
  };
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string) => {
    if (!names.has(name)) throw notFound();
    const encoding = chooseEncoding(request.headers["accept-encoding"], (one) => names.has(name + endings[one]));
    const { bytes, etag } = await read(name + (encoding ? endings[encoding] : ""));
    reply
      .headers({ "cache-control": cacheControl, vary: "accept-encoding", etag, "x-content-type-options": "nosniff" })
      .type(isTextFile(name) ? `${contentTypeOf(name)}; charset=utf-8` : contentTypeOf(name));
    if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    if (encoding) reply.header("content-encoding", encoding);
    return reply.send(bytes);
  };
  return { names: [...names], send };
}

/** Serves files with a hash in their name, which never change, below `prefix`. */
export function serveHashedFiles(app: FastifyInstance, prefix: string, folder: string) {
  const { send } = openFolder(folder);
  app.get<{ Params: { name: string } }>(`${prefix}:name`, { config: { pace: "file" } }, (request, reply) =>
    send(request, reply, request.params.name, IMMUTABLE),
  );
}

/**
 * Serves the files of a folder whose names stay the same, at the root. Browsers ask each time whether they have
 * changed.
 */
export function serveNamedFiles(app: FastifyInstance, folder: string, hidden: string[]) {
  const { names, send } = openFolder(folder);
  for (const name of names.filter((one) => !hidden.includes(one) && !/\.(br|gz)$/.test(one)))
    app.get(`/${name}`, { config: { pace: "file" } }, (request, reply) => send(request, reply, name, "no-cache"));
}
