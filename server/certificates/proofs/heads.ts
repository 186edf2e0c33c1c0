import { Readable } from "node:stream";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import { escapeXml } from "#server/core/export/xml.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { canonicalJson, headText, type SignedHead, toHex } from "#shared/certificates/proof.ts";

// The signed roots of issuers, which anybody may save: as a list, as a feed, and one by one with their time stamps

/** Entries of a feed, newest first. */
const FEED_ENTRIES = 60;

type Head = { day: string; root: Uint8Array | string; keyId: string; signature: Buffer };

/** Roots of all issuers with their keys. */
export const headsOf = (db: Db) =>
  db
    .selectFrom("certificateHeads as heads")
    .innerJoin("certificateKeys as keys", "keys.id", "heads.keyId")
    .select(["heads.companyId as issuer", "heads.size", "heads.root", "heads.keyId", "heads.signature"])
    .select("keys.publicKey")
    .select(sql<string>`heads.day::text`.as("day"));

export const signedHead = (issuer: string, { day, root, keyId, signature }: Head): SignedHead => ({
  format: "lyceum-head-1",
  issuer,
  day,
  root: typeof root === "string" ? root : toHex(root),
  key: keyId,
  signature: signature.toString("base64url"),
});

/** The same, with their time stamps as `stamps`. */
export const withStamps = (db: Db) =>
  headsOf(db).leftJoin("certificateTimestamps as stamps", (join) =>
    join.onRef("stamps.companyId", "=", "heads.companyId").onRef("stamps.day", "=", "heads.day"),
  );

/** Those of the days that have ended: only they stay as they are. */
const publishedHeads = (db: Db, issuer: string) =>
  withStamps(db)
    .where("heads.companyId", "=", issuer)
    .where("heads.day", "<", sql<string>`(now() at time zone 'UTC')::date`)
    .select(["stamps.stampedAt", "stamps.authority"]);

const requireIssuer = (db: Db, issuer: string) =>
  db
    .selectFrom("certificateTrees")
    .where("companyId", "=", issuer)
    .select("companyId")
    .executeTakeFirstOrThrow(notFound);

export async function listHeads({ db }: { db: Db }, issuer: string) {
  await requireIssuer(db, issuer);
  const rows = await publishedHeads(db, issuer).orderBy("heads.day").execute();
  const keys = await db.selectFrom("certificateKeys").orderBy("createdAt").select(["id", "publicKey"]).execute();
  return {
    issuer,
    keys,
    heads: rows.map((row) => signedHead(issuer, row)),
    timestamps: rows.flatMap(({ day, stampedAt, authority }) =>
      stampedAt && authority !== null ? [{ day, at: stampedAt, authority }] : [],
    ),
  };
}

/** An Atom feed (RFC 4287) of the newest roots, for readers that keep what they have seen. */
export async function sendFeed({ db, config }: Pick<Services, "db" | "config">, issuer: string) {
  await requireIssuer(db, issuer);
  const rows = await publishedHeads(db, issuer).orderBy("heads.day", "desc").limit(FEED_ENTRIES).execute();
  const address = `${config.publicUrl}/api/issuers/${issuer}/heads`;
  const endOf = (day: string) => `${day}T23:59:59Z`;
  const entries = rows.map((row) => [
    "  <entry>",
    `    <id>urn:lyceum:head:${issuer}:${row.day}</id>`,
    `    <title>Root of ${row.day}</title>`,
    `    <updated>${endOf(row.day)}</updated>`,
    `    <link rel="alternate" type="application/json" href="${escapeXml(`${address}/${row.day}`)}"/>`,
    `    <content type="text">${escapeXml(canonicalJson(signedHead(issuer, row)))}</content>`,
    "  </entry>",
  ]);
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>urn:lyceum:heads:${issuer}</id>`,
    "  <title>Signed roots of certificates</title>",
    "  <author><name>Lyceum</name></author>",
    `  <updated>${endOf(rows[0]?.day ?? "1970-01-01")}</updated>`,
    `  <link rel="self" href="${escapeXml(`${address}.atom`)}"/>`,
    ...entries.flat(),
    "</feed>",
  ];
  return fileOf(`roots-${issuer}.atom`, "application/atom+xml; charset=utf-8", `${lines.join("\n")}\n`);
}

/** The root of a day as the text that was signed and time-stamped, byte by byte. */
export async function sendHead({ db }: { db: Db }, issuer: string, day: string) {
  const head = await publishedHeads(db, issuer).where("heads.day", "=", day).executeTakeFirstOrThrow(notFound);
  return fileOf(`root-${day}.json`, "application/json; charset=utf-8", headText(signedHead(issuer, head)));
}

/** The reply of the authority, as it has come. */
export async function sendTimestamp({ db }: { db: Db }, issuer: string, day: string) {
  const { reply } = await db
    .selectFrom("certificateTimestamps")
    .where("companyId", "=", issuer)
    .where("day", "=", day)
    .select("reply")
    .executeTakeFirstOrThrow(notFound);
  return fileOf(`root-${day}.tsr`, "application/timestamp-reply", reply);
}

const fileOf = (name: string, type: string, content: string | Buffer) =>
  new FileAnswer(name, type, Readable.from([content]), 1);
