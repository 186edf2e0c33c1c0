import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import { inTransaction } from "#server/core/db.ts";
import type { UploadSessions } from "#server/core/db.types.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, forbidden, notFound, Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { PartState } from "#server/core/storage.ts";
import { dropSums } from "#server/files/hashes.ts";
import { reserveBytes } from "#server/files/quota.ts";
import { findFile, owned } from "#server/files/service.ts";
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
} from "#shared/files.ts";
import type { User } from "#shared/users.ts";

export type Session = Selectable<UploadSessions>;
type Announced = { path: string; size: number; metadata: ObjectMetadata };

/**
 * Begins an upload: who may, what for, how large, and whether it fits are decided before the first byte. The announced
 * size counts against the quota until the upload has ended one way or another.
 */
export async function startUpload(ctx: Ctx<User>, { path, size, metadata }: Announced): Promise<Session> {
  const { db, user } = ctx;
  const target = await targetOf(ctx, metadata);
  const { maxBytes } = purposes[target.purpose];
  if (size > maxBytes) throw new Problem(413, "files.tooLarge", { values: { limit: `${maxBytes / 1024 ** 2} MB` } });
  await checkReplaceable(ctx, path, target.purpose);
  // Whoever begins anew (the answer was lost) does not go on with what was begun before: its space is free again.
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

/** Purpose, visibility and company of a new file: from the custom fields, bounded by what the person may do. */
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
    const known = await db
      .selectFrom("companies")
      .where(sql`id::text`, "=", companyId)
      .select("id")
      .executeTakeFirst();
    if (!known) throw badField("metadata.companyId", "files.noCompany");
  }
  return { purpose: purpose.data, visibility: visibility.data, companyId };
}

/** A path that is taken may be written over by those who may change what is there. To everybody else it does not exist. */
export async function checkReplaceable({ db, user }: { db: Db; user: User }, path: string, purpose: string) {
  const there = await findFile(db, path);
  if (!there) return null;
  if (!canReadFile(user, owned(there))) throw notFound();
  if (!canChangeFile(user, owned(there)) || there.purpose !== purpose) throw forbidden();
  if (there.inUse) throw new Problem(409, "files.inUse");
  return there;
}

/** An upload of this person. Somebody else's does not exist. */
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

/** The bytes of an upload in one piece have been counted: that is its size. */
export const announceReceived = ({ db }: Ctx<User>, id: string, size: number) =>
  db
    .updateTable("uploadSessions")
    .set({ declaredSize: size })
    .where("id", "=", id)
    .where("received", "=", size)
    .execute();

/** Cancels an upload and forgets its bytes. Doing it twice is doing it once; what is final stays. */
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
  dropSums(session.id);
  if (!ended) return;
  // What stays behind when the store does not answer is swept later.
  await storage
    .discard(ended.storageKey, ended.partState as PartState)
    .catch((error: unknown) => log.warn({ err: error }, "the bytes of an ended upload could not be removed"));
}
