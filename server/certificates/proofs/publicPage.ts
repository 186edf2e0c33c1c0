import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { recordExport } from "#server/certificates/exports.ts";
import { readStored, replacedBy, stateOf } from "#server/certificates/certificateRows.ts";
import { achievedOf, claimKey, type Claim, type ProofFile, toHex } from "#shared/certificates/proof.ts";
import { headsOf, signedHead, withStamps } from "#server/certificates/proofs/heads.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import { readPath } from "#server/certificates/proofs/tree.ts";
import type { Db } from "#server/core/database/db.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { textOf } from "#server/certificates/issuing/storing.ts";
import type { PublicCertificate } from "#shared/certificates/certificates.ts";
import { readNumber } from "#shared/certificates/numbers.ts";
import type { User } from "#shared/core/users.ts";
import { Readable } from "node:stream";

/** Every answer takes at least this long, in ms, whether the number exists, is malformed, or was never issued. */
const ANSWER_MS = 60;

async function inEqualTime<T>(work: Promise<T>): Promise<T> {
  const [answer] = await Promise.all([work, sleep(ANSWER_MS)]);
  return answer;
}

const findByNumber = (db: Db, typed: string) =>
  db
    .selectFrom("certificates")
    .where("certificates.number", "=", readNumber(typed))
    .selectAll("certificates")
    .select([stateOf.as("state"), replacedBy.as("replacedBy")])
    .select((e) =>
      e
        .selectFrom("certificateHeads as heads")
        .whereRef("heads.companyId", "=", "certificates.companyId")
        .whereRef("heads.size", ">", "certificates.position")
        .orderBy("heads.day")
        .limit(1)
        .select(sql<string>`heads.day::text`.as("day"))
        .as("headDay"),
    )
    .select((e) =>
      e
        .selectFrom("certificateTimestamps as stamps")
        .innerJoin("certificateHeads as heads", (join) =>
          join.onRef("heads.companyId", "=", "stamps.companyId").onRef("heads.day", "=", "stamps.day"),
        )
        .whereRef("heads.companyId", "=", "certificates.companyId")
        .whereRef("heads.size", ">", "certificates.position")
        .orderBy("heads.day")
        .limit(1)
        .select(
          sql<{ on: string; by: string }>`json_build_object(
            'on', (stamps.stamped_at at time zone 'UTC')::date,
            'by', stamps.authority
          )`.as("stamp"),
        )
        .as("timestamp"),
    )
    .select(sql<string | null>`(certificates.revoked_at at time zone 'UTC')::date::text`.as("revokedOn"))
    .select(sql<string | null>`certificates.nameless_since::text`.as("since"))
    .select(sql<string | null>`certificates.keep_until::text`.as("until"))
    .executeTakeFirst();

/** What anybody who has the number may see; null for a number that was never issued. */
export const verifyNumber = ({ db }: { db: Db }, typed: string): Promise<PublicCertificate | null> =>
  inEqualTime(
    findByNumber(db, typed).then((row) => {
      if (!row) return null;
      const { facts } = row;
      const { kind, title, version, courses, elsewhere } = achievedOf(facts);
      return {
        number: row.number,
        state: row.state,
        title: facts.title,
        issuer: facts.issuerName,
        color: row.brand.color,
        kind,
        course: title,
        courseVersion: version,
        rule: facts.rule,
        courses,
        elsewhere,
        completedOn: facts.completedOn,
        issuedOn: facts.issuedOn,
        validUntil: facts.validUntil,
        name: row.showName ? row.name : null,
        scorePercent: row.showScore ? row.scorePercent : null,
        minutes: row.showMinutes ? row.minutes : null,
        holder: facts.holder,
        revokedOn: row.revokedOn,
        replacedBy: row.replacedBy,
        namelessSince: row.since,
        keepUntil: row.until,
        keepGround: row.keepGround,
        sealed: row.position !== null,
        headDay: row.headDay,
        timestamp: row.timestamp,
      };
    }),
  );

type Stored = Pick<
  Awaited<ReturnType<typeof readStored>>,
  "companyId" | "facts" | "position" | "salt" | "name" | "scorePercent" | "minutes"
>;

/** The head against which a proof is made: the newest with a time stamp that covers the leaf, otherwise the newest. */
const findHead = (db: Db, companyId: string, position: number) =>
  withStamps(db)
    .where("heads.companyId", "=", companyId)
    .where("heads.size", ">", position)
    .orderBy((e) => e("stamps.reply", "is", null))
    .orderBy("heads.day", "desc")
    .limit(1)
    .select("stamps.reply")
    .executeTakeFirst();
type Head = Pick<
  NonNullable<Awaited<ReturnType<typeof findHead>>>,
  "size" | "keyId" | "signature" | "publicKey" | "day"
>;

/** The proof of a certificate with these claims open. 409 until the certificate is sealed. */
async function proofOf(db: Db, stored: Stored, open: Record<Claim, boolean>): Promise<ProofFile> {
  const { companyId, position } = stored;
  const head = position === null ? undefined : await findHead(db, companyId, Number(position));
  if (position === null || !head) throw conflict("certificates.notSealed");
  const proof = await proofAgainst(db, head, { ...stored, position }, open);
  return head.reply ? { ...proof, timestamp: head.reply.toString("base64") } : proof;
}

/**
 * The proof of a certificate without its claims, against the last head of a day that had ended before `at`, an instant;
 * null if the certificate is not in that. Made again, it is the same.
 */
export async function closedProof(db: Db, id: string, at: string): Promise<ProofFile | null> {
  const stored = await db
    .selectFrom("certificates")
    .where("id", "=", id)
    .select(["companyId", "facts", "position", "salt", "name", "scorePercent", "minutes"])
    .executeTakeFirst();
  if (!stored || stored.position === null) return null;
  const head = await headsOf(db)
    .where("heads.companyId", "=", stored.companyId)
    .where("heads.day", "<", sql<string>`(${at}::timestamptz at time zone 'UTC')::date`)
    .orderBy("heads.day", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!head || Number(head.size) <= Number(stored.position)) return null;
  const { position } = stored;
  return proofAgainst(db, head, { ...stored, position }, { holder: false, score: false, minutes: false });
}

async function proofAgainst(
  db: Db,
  head: Head,
  stored: Stored & { position: NonNullable<Stored["position"]> },
  open: Record<Claim, boolean>,
): Promise<ProofFile> {
  const { companyId, facts, position, salt } = stored;
  const { path, root } = await readPath(db, companyId, Number(position), Number(head.size));
  const values = { holder: stored.name, score: textOf(stored.scorePercent), minutes: textOf(stored.minutes) };
  const disclosed: ProofFile["disclosed"] = {};
  for (const claim of ["holder", "score", "minutes"] as const) {
    const value = values[claim];
    if (open[claim] && salt && value !== null) disclosed[claim] = { value, key: toHex(claimKey(sha256, salt, claim)) };
  }
  return {
    format: "lyceum-proof-1",
    facts,
    disclosed,
    path,
    head: signedHead(companyId, { ...head, root: toHex(root) }),
    publicKey: head.publicKey,
  };
}

const asFile = (proof: ProofFile) =>
  new FileAnswer(
    `${proof.facts.number}.proof.json`,
    "application/json; charset=utf-8",
    Readable.from([`${JSON.stringify(proof, null, 2)}\n`]),
    1,
  );

/** The proof for the holder and for admins: everything is open that they may see. */
export async function sendProof(ctx: Ctx<User>, id: string) {
  const stored = await readStored(ctx, id);
  await recordExport(ctx, stored, "json");
  const { showsScoreToReader: score, showsMinutesToReader: minutes } = stored;
  return asFile(await proofOf(ctx.db, stored, { holder: true, score, minutes }));
}

/** The proof for everybody, as far as the holder allows. */
export async function sendPublicProof({ db }: { db: Db }, typed: string) {
  const row = await inEqualTime(findByNumber(db, typed));
  if (!row) throw notFound();
  return asFile(await proofOf(db, row, { holder: row.showName, score: row.showScore, minutes: row.showMinutes }));
}
