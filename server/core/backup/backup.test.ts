import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BackupError, readArchive, verifyArchive } from "#server/core/backup/archive.ts";
import { createBackup } from "#server/core/backup/backup.ts";
import { start } from "#test/start.ts";

const { services, db } = await start();
const { config, storage } = services;

/** A stored file with one byte. Returns its storage key. */
async function storeFile() {
  const key = randomBytes(24).toString("base64url");
  const writer = await storage.write(key, 0, {});
  await writer.write([Buffer.from("x")]);
  await storage.finish(key, 1, await writer.save());
  await writer.close();
  await db
    .insertInto("files")
    .values({
      bucket: "lyceum",
      fullPath: `avatars/${key}`,
      purpose: "avatar",
      visibility: "private",
      contentType: "image/png",
      detectedType: "image/png",
      size: 1,
      md5Hash: "none",
      sha256: "none",
      storageKey: key,
    })
    .execute();
  return key;
}

test("leaves out a file that is erased while the backup is made", async () => {
  const [kept, erased] = [await storeFile(), await storeFile()];
  const path = join(config.dataDir, "erased.tar.gz");
  const read = async (key: string) => {
    if (key === erased) {
      await db.deleteFrom("files").where("storageKey", "=", erased).execute();
      await storage.remove(erased);
    }
    return storage.read(key);
  };
  expect((await createBackup({ ...services, storage: { ...storage, read } }, path)).files).toBe(1);
  const manifest = await verifyArchive(path);
  expect(Object.keys(manifest.entries)).toContain(`files/${kept}`);
  expect(Object.keys(manifest.entries)).not.toContain(`files/${erased}`);
  let missing = "";
  await readArchive(path, async (name, content) => {
    for await (const chunk of content as AsyncIterable<Buffer>) if (name === "missing") missing += chunk.toString();
  });
  expect(missing).toBe(`${erased}\n`);
});

test("names a stored file that is lost, and leaves no file behind", async () => {
  const lost = await storeFile();
  await storage.remove(lost);
  const path = join(config.dataDir, "lost.tar.gz");
  await expect(createBackup(services, path)).rejects.toThrow(
    new BackupError(`The stored file avatars/${lost} (${lost}) is missing.`),
  );
  expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
});
