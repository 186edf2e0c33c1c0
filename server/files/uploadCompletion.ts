import { basename } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { BlobMissing } from "#server/core/storage/storage.ts";
import { forgetSums, newSums, sumsAt } from "#server/files/hashes.ts";
import { objectOf, type StoredFile } from "#server/files/service.ts";
import { newNonce } from "#server/files/tokens.ts";
import { checkReplaceable, endUpload, findUpload, type Session } from "#server/files/uploads.ts";
import { IMAGE_TYPES, purposes } from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";

/** The number of leading bytes from which the type of a file is detected. */
const SIGNATURE_BYTES = 4100;

/** Problems that do not cancel the upload: bytes are missing, or another request has ended it. */
const KEEPS_UPLOAD = ["files.incomplete", "files.uploadEnded"];

/**
 * Turns a complete upload into a file, with its row locked: parallel and repeated calls return the same file. Throws
 * 400 and keeps the upload if bytes are missing. A refused file leaves nothing behind.
 */
export async function finishUpload(ctx: Ctx<User>, id: string) {
  const session = await findUpload(ctx, id);
  try {
    const file = await inTransaction(ctx.db, async (tx) => {
      const locked = await tx
        .selectFrom("uploadSessions")
        .where("id", "=", id)
        .selectAll()
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (locked.status === "final") return finishedFile(tx, locked);
      if (locked.status !== "active") throw new Problem(410, "files.uploadEnded");
      return makeFile(ctx, tx, locked);
    });
    forgetSums(id);
    return objectOf(ctx, file);
  } catch (error) {
    if (error instanceof BlobMissing) {
      await endUpload(ctx, session, "cancelled");
      throw new Problem(404, "files.uploadGone");
    }
    if (error instanceof Problem && !KEEPS_UPLOAD.includes(error.code)) await endUpload(ctx, session, "cancelled");
    throw error;
  }
}

async function finishedFile(tx: Tx, { fileId }: Session) {
  const file =
    fileId &&
    (await tx
      .selectFrom("files")
      .where("id", "=", fileId)
      .where("deletedAt", "is", null)
      .selectAll()
      .executeTakeFirst());
  if (!file) throw new Problem(410, "files.uploadEnded");
  return file;
}

async function makeFile(ctx: Ctx<User>, tx: Tx, session: Session): Promise<StoredFile> {
  const { storage } = ctx;
  const { received, declaredSize, storageKey, fullPath } = session;
  if (received !== declaredSize)
    throw new Problem(400, "files.incomplete", {
      values: { received, expected: declaredSize },
      details: { received },
    });
  await storage.finish(storageKey, received, session.partState);
  const sums = await sumsOf(ctx, session);
  const declared = session.metadata;
  if (declared.md5Hash && declared.md5Hash !== sums.md5Hash) throw new Problem(400, "files.md5Mismatch");
  const detectedType = await detectType(ctx, storageKey, received);
  if (purposes[session.purpose].images && !IMAGE_TYPES.includes(detectedType))
    throw new Problem(415, "files.wrongType");

  await sql`select pg_advisory_xact_lock(hashtext(${fullPath}))`.execute(tx);
  const replaced = await checkReplaceable({ db: tx, user: ctx.user }, fullPath, session.purpose);
  if (replaced)
    await tx.updateTable("files").set({ deletedAt: new Date().toISOString() }).where("id", "=", replaced.id).execute();
  const file = await tx
    .insertInto("files")
    .values({
      bucket: session.bucket,
      fullPath,
      size: received,
      ...sums,
      storageKey,
      detectedType,
      contentType: declaredType(declared.contentType) ?? (detectedType || "application/octet-stream"),
      cacheControl: declared.cacheControl ?? null,
      contentDisposition: declared.contentDisposition ?? dispositionOf(fullPath),
      contentEncoding: declared.contentEncoding ?? null,
      contentLanguage: declared.contentLanguage ?? null,
      customMetadata: JSON.stringify(declared.metadata ?? {}),
      purpose: session.purpose,
      visibility: session.visibility,
      ownerId: session.userId,
      companyId: session.companyId,
      tokens: [newNonce()],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("uploadSessions")
    .set({ status: "final", fileId: file.id })
    .where("id", "=", session.id)
    .execute();
  return file;
}

const declaredType = (type: string | undefined) => (type && type !== "application/octet-stream" ? type : undefined);
const dispositionOf = (path: string) => {
  const name = encodeURIComponent(basename(path));
  return `inline; filename*=utf-8''${name.replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;
};

/** The digests of an upload, from the sums computed while receiving it; after a restart, from the stored bytes. */
async function sumsOf({ storage }: Services, { id, received, storageKey }: Session) {
  const cachedSums = sumsAt(id, received)?.sums;
  if (cachedSums) return cachedSums.digests();
  const sums = newSums(received);
  if (received > 0) for await (const bytes of await storage.read(storageKey)) await sums.update([bytes as Buffer]);
  return sums.digests();
}

/** Media type by the content, whatever was declared; empty if unknown, as for plain text. */
async function detectType({ storage }: Services, key: string, size: number) {
  if (size === 0) return "";
  const parts: Buffer[] = [];
  for await (const bytes of await storage.read(key, { start: 0, end: Math.min(SIGNATURE_BYTES, size) - 1 }))
    parts.push(bytes as Buffer);
  return (await fileTypeFromBuffer(Buffer.concat(parts)).catch(() => undefined))?.mime ?? "";
}
