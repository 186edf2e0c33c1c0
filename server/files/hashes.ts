import { createHash, type Hash } from "node:crypto";

/** MD5 (which the protocol asks for) and SHA-256 of the bytes of one upload, read side by side. */
export type Sums = { md5: Hash; sha256: Hash };

export const newSums = (): Sums => ({ md5: createHash("md5"), sha256: createHash("sha256") });
export const copySums = ({ md5, sha256 }: Sums): Sums => ({ md5: md5.copy(), sha256: sha256.copy() });
export function addTo({ md5, sha256 }: Sums, bytes: Buffer) {
  md5.update(bytes);
  sha256.update(bytes);
}
/** True when both have read the same bytes. Neither is used up. */
export const isSameSum = (a: Sums, b: Sums) => a.sha256.copy().digest().equals(b.sha256.copy().digest());
export const digestsOf = (sums: Sums) => {
  const { md5, sha256 } = copySums(sums);
  return { md5Hash: md5.digest("base64"), sha256: sha256.digest("hex") };
};

type Known = { at: number; now: Sums; chunkStart: number; before: Sums };
/** Uploads whose sums are held; the longest unused are dropped, and read from the store again if they are needed. */
const LIMIT = 2000;
const known = new Map<string, Known>();

export function keepSums(id: string, sums: Known) {
  known.delete(id);
  known.set(id, sums);
  for (const oldest of known.keys()) {
    if (known.size <= LIMIT) return;
    known.delete(oldest);
  }
}
/** The sums of an upload that has received `at` bytes; null when this process did not read all of them. */
export const sumsAt = (id: string, at: number) => (known.get(id)?.at === at ? (known.get(id) as Known) : null);
export const dropSums = (id: string) => known.delete(id);
