import { sql } from "kysely";
import { readSigningKey, signText } from "#server/certificates/proofs/keys.ts";
import { growTree, peaksOf, readNodes, rootOf } from "#server/certificates/proofs/tree.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { headText, toHex } from "#shared/certificates/proof.ts";

/** Certificates that one transaction seals. */
const BATCH = 500;

/**
 * Appends certificates of an issuer to its tree, and signs the new root for today. The row of the tree is locked, so
 * that one worker at a time seals. Returns whether there are more.
 */
export async function sealIssuer({ config }: Pick<Services, "config">, tx: Tx, companyId: string): Promise<boolean> {
  await tx
    .insertInto("certificateTrees")
    .values({ companyId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const tree = await tx
    .selectFrom("certificateTrees")
    .where("companyId", "=", companyId)
    .forUpdate()
    .select("size")
    .executeTakeFirstOrThrow();
  const unsealed = await tx
    .selectFrom("certificates")
    .where("companyId", "=", companyId)
    .where("position", "is", null)
    // By their random ids: the order tells nothing about who completed first.
    .orderBy("id")
    .limit(BATCH)
    .select(["id", "leaf"])
    .execute();
  if (unsealed.length === 0) return false;
  const before = Number(tree.size);
  const size = before + unsealed.length;
  const known = await readNodes(tx, companyId, peaksOf(before));
  const made = growTree(
    known,
    before,
    unsealed.map(({ leaf }) => leaf),
  );
  await sql`
    insert into certificate_nodes (company_id, level, position, hash)
    select ${companyId}, level, position, hash
    from unnest(
      ${made.map(({ level }) => level)}::smallint[],
      ${made.map(({ position }) => position)}::bigint[],
      ${made.map(({ hash }) => Buffer.from(hash))}::bytea[]
    ) as node (level, position, hash)`.execute(tx);
  await sql`
    update certificates
    set position = sealed.position
    from unnest(
      ${unsealed.map(({ id }) => id)}::uuid[],
      ${unsealed.map((_, n) => before + n)}::bigint[]
    ) as sealed (id, position)
    where certificates.id = sealed.id`.execute(tx);
  await tx.updateTable("certificateTrees").set({ size }).where("companyId", "=", companyId).execute();
  await signHead({ config }, tx, companyId, size, known);
  return unsealed.length === BATCH;
}

/** Signs the root of today; that of the end of the day stays. */
async function signHead(
  { config }: Pick<Services, "config">,
  tx: Tx,
  companyId: string,
  size: number,
  known: Map<string, Uint8Array>,
) {
  const root = rootOf(peaksOf(size).map(({ level, position }) => known.get(`${level}/${position}`) as Uint8Array));
  const key = await readSigningKey(config, tx);
  const { rows } = await sql<{ day: string }>`select (now() at time zone 'UTC')::date::text as day`.execute(tx);
  const { day } = rows[0] as { day: string };
  const text = headText({ format: "lyceum-head-1", issuer: companyId, day, root: toHex(root), key: key.id });
  const head = { size, root: Buffer.from(root), keyId: key.id, signature: signText(key, text) };
  await tx
    .insertInto("certificateHeads")
    .values({ companyId, day, ...head })
    .onConflict((conflict) => conflict.columns(["companyId", "day"]).doUpdateSet(head))
    .execute();
}

/** Seals whatever is not sealed yet, of all issuers. */
export async function sealAll(services: Services) {
  for (;;) {
    const waiting = await services.db
      .selectFrom("certificates")
      .where("position", "is", null)
      .select("companyId")
      .distinct()
      .limit(100)
      .execute();
    if (waiting.length === 0) return;
    for (const { companyId } of waiting) await inTransaction(services.db, (tx) => sealIssuer(services, tx, companyId));
  }
}
