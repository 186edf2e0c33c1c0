import { createHash, type Hash } from "node:crypto";

/** Running MD5 (required by the protocol) and SHA-256 of the bytes of an upload. */
export type Sums = { md5: Hash; sha256: Hash };

export const newSums = (): Sums => ({ md5: createHash("md5"), sha256: createHash("sha256") });
export const copySums = ({ md5, sha256 }: Sums): Sums => ({ md5: md5.copy(), sha256: sha256.copy() });
export function updateSums({ md5, sha256 }: Sums, bytes: Buffer) {
  md5.update(bytes);
  sha256.update(bytes);
}
/** True if both have read the same bytes. Does not finish either. */
export const isSameSum = (a: Sums, b: Sums) => a.sha256.copy().digest().equals(b.sha256.copy().digest());
/** The digests of the bytes so far. Does not finish the sums. */
export const digestsOf = (sums: Sums) => {
  const { md5, sha256 } = copySums(sums);
  return { md5Hash: md5.digest("base64"), sha256: sha256.digest("hex") };
};

type UploadSums = {
  /** Number of bytes that `sums` covers. */
  received: number;
  sums: Sums;
  chunkStart: number;
  /** Sums of the bytes before the last chunk. */
  sumsBeforeChunk: Sums;
};
/** Uploads whose sums are cached. The least recently used are dropped, and computed from the storage if needed again. */
const LIMIT = 2000;
const known = new Map<string, UploadSums>();

export function storeSums(id: string, sums: UploadSums) {
  known.delete(id);
  known.set(id, sums);
  for (const oldest of known.keys()) {
    if (known.size <= LIMIT) return;
    known.delete(oldest);
  }
}
/** The cached sums of an upload with `received` bytes; null if this process has not read all of them. */
export function sumsAt(id: string, received: number) {
  const found = known.get(id);
  return found?.received === received ? found : null;
}
export const forgetSums = (id: string) => known.delete(id);
