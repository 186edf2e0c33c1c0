import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Content codings that we send, best first. */
const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];
/** Brotli takes seconds for a megabyte at its best, and a tenth of a second at this quality. */
const BROTLI_QUALITY = 5;
const MIN_COMPRESSED_BYTES = 1000;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * The best coding among `available` that an `accept-encoding` header admits; null for none (RFC 9110, section 12.5.3).
 */
export function chooseEncoding(accepted = "", isAvailable: (encoding: Encoding) => boolean): Encoding | null {
  const admits = (encoding: Encoding) =>
    new RegExp(`(^|[\\s,])${encoding}\\s*($|,|;(?!\\s*q=0(\\.0*)?\\s*($|,)))`).test(accepted);
  return encodings.find((encoding) => isAvailable(encoding) && admits(encoding)) ?? null;
}

/** A reply that is the same for everybody, in every coding; `hash` identifies its content. */
export type Prepared = {
  headers: Record<string, string>;
  plain: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
  hash: string;
};

/** Compresses a text once, outside of the main thread. */
export async function prepareBytes(text: Buffer | string, headers: Record<string, string>): Promise<Prepared> {
  const plain = Buffer.from(text);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  if (plain.length < MIN_COMPRESSED_BYTES) return { headers, plain, compressed: {}, hash };
  const [br, gz] = await Promise.all([brotli(plain, { params }), zip(plain)]);
  return { headers, plain, compressed: { br, gzip: gz }, hash };
}

/**
 * Sends prepared bytes, or 304 if the browser has them. Each coding has an ETag of its own (RFC 9110, section 8.8.3.3).
 */
export function sendPrepared(request: FastifyRequest, reply: FastifyReply, prepared: Prepared) {
  const { headers, plain, compressed, hash } = prepared;
  const encoding = chooseEncoding(request.headers["accept-encoding"], (name) => compressed[name] !== undefined);
  const etag = `"${hash}${encoding ? `-${encoding}` : ""}"`;
  reply.headers({ ...headers, etag, vary: "accept-encoding", "x-content-type-options": "nosniff" });
  if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (encoding) reply.header("content-encoding", encoding);
  return reply.send((encoding && compressed[encoding]) ?? plain);
}

/** Whether an If-None-Match header has this ETag. Caches may have weakened it (RFC 9110, section 13.1.2). */
export const matchesEtag = (header: string | undefined, etag: string) =>
  header === "*" || (header ?? "").split(",").some((entry) => entry.trim().replace(/^W\//, "") === etag);

/** Caches the result of `build` for `forMs` ms. Concurrent calls share one run; failures are not cached. */
export function keepFor<T>(forMs: number, build: () => Promise<T>): () => Promise<T> {
  let kept: { value: Promise<T>; until: number } | null = null;
  return () => {
    if (kept && performance.now() < kept.until) return kept.value;
    const next = { value: build(), until: Number.POSITIVE_INFINITY };
    kept = next;
    next.value.then(
      () => (next.until = performance.now() + forMs),
      () => (next.until = 0),
    );
    return next.value;
  };
}
