import { sql } from "kysely";
import { isSignedBy } from "#server/certificates/proofs/checkProof.ts";
import { haveShape } from "#server/certificates/proofs/factShapes.ts";
import { signedHead, withStamps } from "#server/certificates/proofs/heads.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import { readReply } from "#server/certificates/proofs/timestampReply.ts";
import { growTree, peaksOf, rootOf } from "#server/certificates/proofs/tree.ts";
import type { Db } from "#server/core/database/db.ts";
import { headText, leafOf, toHex } from "#shared/certificates/proof.ts";

// Recomputes every tree from the certificate facts and compares it with the signed heads

/** Everything that does not fit in the trees of all issuers, one line each. */
export async function checkTrees(db: Db): Promise<{ certificates: number; problems: string[] }> {
  const issuers = await db.selectFrom("certificateTrees").orderBy("companyId").selectAll().execute();
  const problems: string[] = [];
  let certificates = 0;
  for (const { companyId, size } of issuers) {
    const found = await checkTree(db, companyId, Number(size));
    problems.push(...found.problems.map((problem) => `issuer ${companyId}: ${problem}`));
    certificates += found.certificates;
  }
  return { certificates, problems };
}

async function checkTree(db: Db, companyId: string, size: number) {
  const problems: string[] = [];
  const rows = await db
    .selectFrom("certificates")
    .where("companyId", "=", companyId)
    .where("position", "is not", null)
    .orderBy("position")
    .select(["number", "facts", "position", "leaf"])
    .execute();
  const gaps = await db.selectFrom("certificateGaps").where("companyId", "=", companyId).select("position").execute();
  const stored = await db
    .selectFrom("certificateNodes")
    .where("companyId", "=", companyId)
    .where("level", "=", 0)
    .select(["position", "hash"])
    .execute();
  const leaves = new Map(stored.map(({ position, hash }) => [Number(position), hash]));
  const byPosition = new Map(rows.map((row) => [Number(row.position), row]));
  const deleted = new Set(gaps.map(({ position }) => Number(position)));

  for (const { number, facts, position } of rows) {
    const leaf = leaves.get(Number(position));
    if (Number(position) >= size || !leaf) problems.push(`certificate ${number} was added: the tree has no such leaf`);
    else if (facts.number !== number || toHex(leafOf(sha256, facts)) !== toHex(leaf))
      problems.push(`certificate ${number} was changed: its facts are not those that were sealed`);
    else if (!haveShape(facts)) problems.push(`certificate ${number} has facts of an unknown format`);
  }
  for (let position = 0; position < size; position++) {
    if (!leaves.has(position)) problems.push(`leaf ${position} was removed from the tree`);
    else if (!byPosition.has(position) && !deleted.has(position))
      problems.push(`the certificate of leaf ${position} was removed, and by no erasure`);
  }
  for (const position of leaves.keys()) if (position >= size) problems.push(`leaf ${position} was added to the tree`);
  problems.push(...(await checkNodes(db, companyId, size, leaves)));
  return { certificates: rows.length, problems };
}

/** Compares stored nodes and signed heads with those that follow from the leaves. */
async function checkNodes(db: Db, companyId: string, size: number, leaves: Map<number, Uint8Array>) {
  const problems: string[] = [];
  const inOrder = Array.from({ length: size }, (_, position) => leaves.get(position));
  if (inOrder.some((leaf) => leaf === undefined)) return problems;
  const known = new Map<string, Uint8Array>();
  const nodes = growTree(known, 0, inOrder as Uint8Array[]);
  const { rows: stored } = await sql<{ level: number; position: string; hash: Buffer }>`
    select level, position, hash
    from certificate_nodes
    where company_id = ${companyId}
      and level > 0`.execute(db);
  const storedNodes = new Map(stored.map(({ level, position, hash }) => [`${level}/${Number(position)}`, toHex(hash)]));
  for (const { level, position, hash } of nodes)
    if (level > 0 && storedNodes.get(`${level}/${position}`) !== toHex(hash))
      problems.push(`node ${level}/${position} does not follow from its leaves`);
  const heads = await withStamps(db)
    .where("heads.companyId", "=", companyId)
    .orderBy("heads.day")
    .select(["stamps.reply", "stamps.authority", "stamps.stampedAt"])
    .execute();
  for (const head of heads) {
    const covered = Number(head.size);
    const root = covered <= size ? rootAt(known, covered) : null;
    if (root === null || root !== toHex(head.root)) problems.push(`the root of ${head.day} does not fit the leaves`);
    const signed = signedHead(companyId, head);
    if (!isSignedBy(head.publicKey, signed)) problems.push(`the signature of ${head.day} is not valid`);
    if (head.reply && !(await isStamped(head as typeof head & Stamp, headText(signed))))
      problems.push(`the time stamp of ${head.day} does not fit its root`);
  }
  if (size > 0 && Number(heads.at(-1)?.size ?? 0) !== size) problems.push("the last leaves are in no signed root");
  return problems;
}

type Stamp = { reply: Buffer; authority: string; stampedAt: string };
/** The reply is about this text, and what we show of it is what it says. */
const isStamped = ({ reply, authority, stampedAt }: Stamp, text: string) =>
  readReply(reply, text).then(
    (said) => said.authority === authority && said.at.getTime() === Date.parse(stampedAt),
    () => false,
  );
const rootAt = (known: Map<string, Uint8Array>, size: number) =>
  toHex(rootOf(peaksOf(size).map(({ level, position }) => known.get(`${level}/${position}`) as Uint8Array)));
