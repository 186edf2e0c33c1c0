import { randomInt } from "node:crypto";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { didOf, signCredential } from "#server/badges/issuers.ts";
import { readBadgeKey } from "#server/badges/keys.ts";
import type { Config } from "#server/core/config.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";

/** The shortest list that W3C Bitstring Status List allows, so that a position says little about a person. */
export const LIST_BITS = 131_072;
/** A random position is free at the second try on average until a list is this full. */
const MAX_SIZE = LIST_BITS / 2;
/** How late the clock of a verifier may be, in ms. */
const CLOCK_MS = 5 * 60_000;
/** Verifiers must fetch a list again after this time, in ms. */
const VALID_MS = 24 * 3_600_000;

export const listUrl = ({ publicUrl }: Pick<Config, "publicUrl">, companyId: string, list: number) =>
  `${publicUrl}/api/issuers/${companyId}/status/${list}`;

/** Locks the newest list of an issuer until the end of the transaction, and returns its number. */
export async function lockList(tx: Tx, companyId: string): Promise<number> {
  const start = (number: number) =>
    tx
      .insertInto("badgeLists")
      .values({ companyId, number })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await start(0);
  for (;;) {
    const newest = await tx
      .selectFrom("badgeLists")
      .where("companyId", "=", companyId)
      .orderBy("number", "desc")
      .limit(1)
      .forUpdate()
      .select(["number", "size"])
      .executeTakeFirstOrThrow();
    if (newest.size < MAX_SIZE) return newest.number;
    await start(newest.number + 1);
  }
}

/** Takes a random free position of a list that the transaction has locked. */
export async function takePosition(tx: Tx, companyId: string, list: number): Promise<number> {
  for (;;) {
    const position = randomInt(LIST_BITS);
    const taken = await tx
      .selectFrom("badges")
      .where("companyId", "=", companyId)
      .where("list", "=", list)
      .where("position", "=", position)
      .select("id")
      .executeTakeFirst();
    if (taken) continue;
    await tx
      .updateTable("badgeLists")
      .set({ size: sql`size + 1` })
      .where("companyId", "=", companyId)
      .where("number", "=", list)
      .execute();
    return position;
  }
}

/** A status list as signed credential: the bit of a badge is set if its certificate was revoked or replaced. */
export async function readStatusList({ config, db }: { config: Config; db: Db }, companyId: string, list: number) {
  await db
    .selectFrom("badgeLists")
    .where("companyId", "=", companyId)
    .where("number", "=", list)
    .select("number")
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<{ position: number }>`
    select badges.position
    from badges
    left join certificates on certificates.id = badges.certificate_id
    where badges.company_id = ${companyId}
      and badges.list = ${list}
      and (
        badges.was_revoked
        or certificates.revoked_at is not null
        or exists (
          select from certificates later
          where later.replaces = certificates.id
        )
      )`.execute(db);
  const [url, issuer, now] = [listUrl(config, companyId, list), didOf(config, companyId), Date.now()];
  return signCredential(await readBadgeKey(config, db), issuer, {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id: url,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer,
    validFrom: new Date(now - CLOCK_MS).toISOString(),
    validUntil: new Date(now + VALID_MS).toISOString(),
    credentialSubject: {
      id: `${url}#list`,
      type: "BitstringStatusList",
      statusPurpose: "revocation",
      encodedList: encode(rows.map(({ position }) => position)),
    },
  });
}

/** Bits from left to right, compressed, as multibase base64url. */
function encode(positions: number[]) {
  const bits = Buffer.alloc(LIST_BITS / 8);
  for (const position of positions) bits[position >> 3]! |= 0x80 >> (position & 7);
  return `u${gzipSync(bits).toString("base64url")}`;
}
