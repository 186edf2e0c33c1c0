import { randomUUID } from "node:crypto";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { newSums } from "#server/files/hashes.ts";
import type { StoredFile } from "#server/files/service.ts";
import { newNonce } from "#server/files/tokens.ts";
import { BUCKET, type FilePurpose, purposes } from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";

type NewFile = { fullPath: string; type: string; purpose: FilePurpose; bytes: Uint8Array };

/** Stores a file that the server has made, as if its user had uploaded it. */
export async function storeBytes(
  { db, user, storage }: Ctx<User> & Pick<Services, "storage">,
  { fullPath, type, purpose, bytes }: NewFile,
): Promise<StoredFile> {
  const storageKey = randomUUID();
  const content = Buffer.from(bytes);
  const writer = await storage.write(storageKey, 0, {});
  try {
    await writer.write([content]);
    await storage.finish(storageKey, content.length, await writer.save());
  } finally {
    await writer.close();
  }
  const sums = newSums(content.length);
  await sums.update([content]);
  return db
    .insertInto("files")
    .values({
      bucket: BUCKET,
      fullPath,
      size: content.length,
      ...(await sums.digests()),
      storageKey,
      detectedType: type,
      contentType: type,
      contentDisposition: "inline",
      customMetadata: JSON.stringify({}),
      purpose,
      visibility: purposes[purpose].visibility,
      ownerId: user.id,
      companyId: user.companyId,
      tokens: [newNonce()],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
