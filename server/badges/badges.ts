import { Readable } from "node:stream";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { type RawBuilder, sql } from "kysely";
import { badgeCredential, hasAddress } from "#server/badges/credential.ts";
import { didOf, signCredential } from "#server/badges/issuers.ts";
import { readBadgeKey } from "#server/badges/keys.ts";
import { badgePicture } from "#server/badges/picture.ts";
import { pngWithText } from "#server/badges/png.ts";
import { listUrl, lockList, takePosition } from "#server/badges/statusList.ts";
import { readStored } from "#server/certificates/certificateRows.ts";
import { recordExport } from "#server/certificates/exports.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import type { BadgeFormat } from "#shared/badges/badges.ts";
import type { User } from "#shared/core/users.ts";

/** The keyword under which Open Badges 3.0 looks for the credential in a picture. */
const KEYWORD = "openbadgecredential";

/**
 * The badge of a certificate. It is made and signed at the first call, and stays the same until it no longer fits the
 * academy or its holder.
 */
export async function sendBadge(ctx: Ctx<User>, id: string, format: BadgeFormat) {
  const stored = await readStored(ctx, id);
  const { name, state, facts, brand } = stored;
  if (name === null) throw notFound();
  if (state === "revoked" || state === "replaced") throw conflict("certificates.notValid");
  await recordExport(ctx, stored, format === "png" ? "badge" : "jwt");
  const token = await findOrSign(ctx, stored);
  const answer = (type: string, body: Buffer | string) =>
    new FileAnswer(`${facts.number}.badge.${format}`, type, Readable.from([body]), 1);
  return format === "jwt"
    ? answer("application/vc+jwt", token)
    : answer("image/png", pngWithText(badgePicture(brand.color), KEYWORD, token));
}

/** SQL: an address that was not verified may belong to someone else. */
const verifiedEmail = sql<string | null>`case when users.email_verified then users.email end`;

type Stored = Awaited<ReturnType<typeof readStored>>;

type Payload = Pick<ReturnType<typeof badgeCredential>, "credentialSubject" | "credentialStatus">;

/**
 * The badge of a certificate. It is made again when others can no longer check it, because the public URL has changed
 * or its key was deleted, and when its holder has another verified address.
 */
async function findOrSign({ config, db }: Ctx<User>, { id, companyId, courseId, pathId, facts }: Stored) {
  const achievementId = (courseId ?? pathId) as string;
  const did = didOf(config, companyId);
  const isCurrent = ({ credential, list, email, keys }: Found) => {
    const { iss, credentialStatus, credentialSubject } = decodeJwt<Payload>(credential);
    return (
      iss === did &&
      credentialStatus.statusListCredential === listUrl(config, companyId, list) &&
      keys.some((key) => decodeProtectedHeader(credential).kid === `${did}#${key}`) &&
      (email === null || hasAddress(credentialSubject, email))
    );
  };
  const found = await findBadge(db, id);
  if (found && isCurrent(found)) return found.credential;
  const key = await readBadgeKey(config, db);
  return inTransaction(db, async (tx) => {
    const newest = await lockList(tx, companyId);
    // Another call may have made it while this one waited for the list.
    const made = await findBadge(tx, id);
    if (made && isCurrent(made)) return made.credential;
    const { list, position } = made ?? { list: newest, position: await takePosition(tx, companyId, newest) };
    const content = badgeCredential(
      { id, achievementId, facts, ...(await readHolder(tx, id)) },
      {
        did,
        url: config.publicUrl,
        page: `${config.publicUrl}/verify/${facts.number}`,
        list: { url: listUrl(config, companyId, list), position },
      },
    );
    const credential = await signCredential(key, did, content);
    await tx
      .insertInto("badges")
      .values({ certificateId: id, companyId, list, position, credential })
      .onConflict((conflict) => conflict.column("certificateId").doUpdateSet({ credential }))
      .execute();
    return credential;
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof findBadge>>>;

/** A badge that was made, the verified address of its holder, and the keys of the academy. */
const findBadge = (db: Db, id: string) =>
  db
    .selectFrom("badges")
    .innerJoin("certificates", "certificates.id", "badges.certificateId")
    .leftJoin("users", "users.id", "certificates.personId")
    .where("certificates.id", "=", id)
    .where("badges.credential", "is not", null)
    .select(["badges.credential", "badges.list", "badges.position"])
    .select(verifiedEmail.as("email"))
    .select(sql<string[]>`array(select id from badge_keys)`.as("keys"))
    .$narrowType<{ credential: string }>()
    .executeTakeFirst();

/**
 * The holder of a certificate, and its days as moments in the time zone of its issuer. Locks the certificate, so that
 * an erasure waits and finds the badge.
 */
async function readHolder(tx: Tx, id: string) {
  const { name, ...rest } = await tx
    .selectFrom("certificates")
    .innerJoin("companies", "companies.id", "certificates.companyId")
    .leftJoin("users", "users.id", "certificates.personId")
    .where("certificates.id", "=", id)
    .forShare("certificates")
    .select("certificates.name")
    .select(verifiedEmail.as("email"))
    .select(isoOf<string>(sql`certificates.issued_at`).as("issuedAt"))
    .select(isoOf<string>(startOf(sql`certificates.completed_on`)).as("awardedAt"))
    .select(isoOf<string | null>(startOf(sql`(certificates.valid_until + 1)`)).as("expiresAt"))
    .executeTakeFirstOrThrow(notFound);
  if (name === null) throw notFound();
  return { name, ...rest };
}

const startOf = (day: RawBuilder<unknown>) => sql`${day}::timestamp at time zone companies.timezone`;
const isoOf = <T>(time: RawBuilder<unknown>) =>
  sql<T>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
