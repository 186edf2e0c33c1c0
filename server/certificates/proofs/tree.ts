import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import { nodeOf, toHex } from "#shared/certificates/proof.ts";

// The tree of an issuer, in the shape of RFC 6962: nodes that cover a power of two of leaves are stored, and never
// change. The others at the right edge are computed.

type Node = { level: number; position: number; hash: Uint8Array };

/** The full subtrees of which a tree of this size consists, from left to right. */
export function peaksOf(size: number) {
  const peaks: { level: number; position: number }[] = [];
  let covered = 0;
  for (let level = Math.floor(Math.log2(Math.max(size, 1))); level >= 0; level--) {
    const width = 2 ** level;
    if (size - covered < width) continue;
    peaks.push({ level, position: covered / width });
    covered += width;
  }
  return peaks;
}

/** The nodes that new leaves complete. `known` has the right edge of the tree before, by `level/position`. */
export function growTree(known: Map<string, Uint8Array>, size: number, leaves: readonly Uint8Array[]): Node[] {
  const made: Node[] = [];
  for (const [n, leaf] of leaves.entries()) {
    let hash = leaf;
    for (let level = 0, position = size + n; ; level++) {
      made.push({ level, position, hash });
      known.set(`${level}/${position}`, hash);
      if (position % 2 === 0) break;
      hash = nodeOf(sha256, known.get(`${level}/${position - 1}`) as Uint8Array, hash);
      position = (position - 1) / 2;
    }
  }
  return made;
}

/** The nodes at these places of a tree, by `level/position`. */
export async function readNodes(db: Db | Tx, companyId: string, places: { level: number; position: number }[]) {
  if (places.length === 0) return new Map<string, Uint8Array>();
  const { rows } = await sql<{ level: number; position: string; hash: Buffer }>`
    select level, position, hash
    from certificate_nodes
    where company_id = ${companyId}
      and (level, position) in (
        select level, position
        from unnest(
          ${places.map(({ level }) => level)}::smallint[],
          ${places.map(({ position }) => position)}::bigint[]
        ) as place (level, position)
      )`.execute(db);
  return new Map(rows.map(({ level, position, hash }) => [`${level}/${Number(position)}`, hash as Uint8Array]));
}

/** The root of a tree from its peaks: those on the right are combined first. */
export function rootOf(peaks: readonly Uint8Array[]) {
  const [last, ...rest] = peaks.toReversed();
  if (!last) throw new Error("A tree without leaves has no root");
  return rest.reduce((right, left) => nodeOf(sha256, left, right), last);
}

/** The hashes that lead from a leaf to the root of the tree of a size, and that root. */
export async function readPath(db: Db | Tx, companyId: string, position: number, size: number) {
  const peaks = peaksOf(size);
  const own = peaks.findIndex((peak) => position < (peak.position + 1) * 2 ** peak.level);
  const { level: height } = peaks[own] as { level: number };
  const siblings = Array.from({ length: height }, (_, level) => ({
    level,
    position: Math.floor(position / 2 ** level) ^ 1,
  }));
  const nodes = await readNodes(db, companyId, [...siblings, ...peaks]);
  const hashAt = ({ level, position: at }: { level: number; position: number }) => {
    const hash = nodes.get(`${level}/${at}`);
    if (!hash) throw new Error(`Node ${level}/${at} of the tree of ${companyId} is missing`);
    return hash;
  };
  const right = peaks.slice(own + 1).map(hashAt);
  const left = peaks.slice(0, own).map(hashAt).toReversed();
  const path = [...siblings.map(hashAt), ...(right.length > 0 ? [rootOf(right)] : []), ...left];
  return { path: path.map(toHex), root: rootOf(peaks.map(hashAt)) };
}
