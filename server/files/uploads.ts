import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { UploadSessions } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, forbidden, notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { forgetSums } from "#server/files/hashes.ts";
import { reserveBytes } from "#server/files/quota.ts";
import { findFile } from "#server/files/service.ts";
import {
  BUCKET,
  canChangeFile,
  canReadFile,
  canWriteFile,
  filePurpose,
  fileVisibility,
  type ObjectMetadata,
  purposes,
  UPLOAD_DAYS,
} from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";

export type Session = Selectable<UploadSessions>;
type UploadRequest = { path: string; size: number; metadata: ObjectMetadata };

/**
 * Starts an upload. Permission, purpose, size and quota are checked before the first byte; the declared size counts
 * against the quota until the upload has ended.
 */
export async function startUpload(ctx: Ctx<User>, { path, size, metadata }: UploadRequest): Promise<Session> {
  const { db, user } = ctx;
  const target = await targetOf(ctx, metadata);
  const { maxBytes } = purposes[target.purpose];
  if (size > maxBytes) throw new Problem(413, "files.tooLarge", { values: { limit: `${maxBytes / 1024 ** 2} MB` } });
  await checkReplaceable(ctx, path, target.purpose);
  // A client that starts again has lost the reply to an earlier start: end that upload and free its quota.
  const stale = await db
    .selectFrom("uploadSessions")
    .where("userId", "=", user.id)
    .where("bucket", "=", BUCKET)
    .where("fullPath", "=", path)
    .where("status", "=", "active")
    .selectAll()
    .execute();
  for (const session of stale) await endUpload(ctx, session, "cancelled");
  return inTransaction(db, async (tx) => {
    await reserveBytes(tx, ctx, { user, companyId: target.companyId, bytes: size });
    return tx
      .insertInto("uploadSessions")
      .values({
        ...target,
        userId: user.id,
        bucket: BUCKET,
        fullPath: path,
        metadata: JSON.stringify(metadata),
        declaredSize: size,
        storageKey: randomBytes(24).toString("base64url"),
        expiresAt: new Date(Date.now() + UPLOAD_DAYS * 86_400_000).toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Purpose, visibility and company of a new file, from its custom fields and within the permissions of the user. */
async function targetOf({ db, user }: Ctx<User>, { metadata = {} }: ObjectMetadata) {
  const purpose = filePurpose.safeParse(metadata.purpose ?? "document");
  if (!purpose.success) throw badField("metadata.purpose", "files.badPurpose");
  if (!canWriteFile(user, purpose.data)) throw forbidden();
  const visibility = fileVisibility.safeParse(metadata.visibility ?? purposes[purpose.data].visibility);
  if (!visibility.success) throw badField("metadata.visibility", "core.invalid");
  if (user.role !== "admin")
    return { purpose: purpose.data, visibility: purposes[purpose.data].visibility, companyId: user.companyId };
  const companyId = metadata.companyId ?? null;
  if (companyId !== null) {
    const company = await db
      .selectFrom("companies")
      .where(sql`id::text`, "=", companyId)
      .select("id")
      .executeTakeFirst();
    if (!company) throw badField("metadata.companyId", "files.noCompany");
  }
  return { purpose: purpose.data, visibility: visibility.data, companyId };
}

/**
 * The file that an upload to this path would replace, or null. 404 if the user may not read it, 403 if they may not
 * replace it.
 */
export async function checkReplaceable({ db, user }: { db: Db; user: User }, path: string, purpose: string) {
  const existing = await findFile(db, path);
  if (!existing) return null;
  if (!canReadFile(user, existing)) throw notFound();
  if (!canChangeFile(user, existing) || existing.purpose !== purpose) throw forbidden();
  if (existing.inUse) throw new Problem(409, "files.inUse");
  return existing;
}

/** An upload of the user; 404 for those of others. */
export async function findUpload({ db, user }: Ctx<User>, id: string) {
  const session = await db
    .selectFrom("uploadSessions")
    .where("id", "=", id)
    .where("userId", "=", user.id)
    .selectAll()
    .executeTakeFirst();
  if (!session || (session.status === "active" && Date.parse(session.expiresAt) < Date.now()))
    throw new Problem(404, "files.uploadGone");
  return session;
}

/** Sets the declared size of an upload in one request, which is known only at its end. */
export const declareReceived = ({ db }: Ctx<User>, id: string, size: number) =>
  db
    .updateTable("uploadSessions")
    .set({ declaredSize: size })
    .where("id", "=", id)
    .where("received", "=", size)
    .execute();

/** Cancels an upload and discards its bytes. Repeating it changes nothing; a finished upload stays. */
export async function cancelUpload(ctx: Ctx<User>, id: string) {
  const session = await findUpload(ctx, id);
  if (session.status === "active") await endUpload(ctx, session, "cancelled");
}

/** Ends an upload without a file. */
export async function endUpload(
  { db, storage, log }: Pick<Services, "db" | "storage" | "log">,
  session: Session,
  status: "cancelled" | "expired",
) {
  const ended = await db
    .updateTable("uploadSessions")
    .set({ status, metadata: "{}" })
    .where("id", "=", session.id)
    .where("status", "=", "active")
    .returning(["storageKey", "partState"])
    .executeTakeFirst();
  forgetSums(session.id);
  if (!ended) return;
  // If the storage does not answer, a later sweep removes the bytes.
  await storage
    .discard(ended.storageKey, ended.partState)
    .catch((error: unknown) => log.warn({ err: error }, "the bytes of an ended upload could not be removed"));
}
