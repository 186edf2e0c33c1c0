import { constants, createReadStream } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isNearlyFull } from "#server/core/storage/freeSpace.ts";
import { BlobMissing, type Storage, StorageDown } from "#server/core/storage/storage.ts";

const DAY_MS = 86_400_000;
/** Flushes start in the background after this many bytes, so that the last one is short. */
const FLUSH_BYTES = 4 * 1024 ** 2;

/** Storage in a folder: blobs are written to `uploads/`, flushed, and renamed into `objects/` when complete. */
export function diskStorage(root: string): Storage {
  const uploads = join(root, "uploads");
  const objects = join(root, "objects");
  const uploadOf = (key: string) => join(uploads, checkedKey(key));
  const objectOf = (key: string) => join(objects, checkedKey(key).slice(0, 2), key);

  return {
    async write(key, at) {
      await mkdir(uploads, { recursive: true });
      // Not truncated: bytes after `at` were never acknowledged and are overwritten.
      const file = await open(uploadOf(key), constants.O_RDWR | constants.O_CREAT, 0o600);
      let position = at;
      let flushing: Promise<unknown> | null = null;
      let unflushed = 0;
      return {
        async write(parts) {
          unflushed += lengthOf(parts);
          if (unflushed > FLUSH_BYTES && !flushing) {
            unflushed = 0;
            // A failure occurs again in the final flush.
            flushing = file
              .datasync()
              .catch(() => {})
              .finally(() => {
                flushing = null;
              });
          }
          for (let rest = [...parts]; rest.length > 0;) {
            const { bytesWritten } = await file.writev(rest, position);
            rest = after(rest, bytesWritten);
            position += bytesWritten;
          }
        },
        async save() {
          await file.datasync();
          return {};
        },
        async close() {
          await flushing;
          await file.close();
        },
      };
    },

    async finish(key, size) {
      const target = objectOf(key);
      const source = uploadOf(key);
      await mkdir(dirname(target), { recursive: true });
      const file = await open(
        source,
        size === 0 ? constants.O_RDWR | constants.O_CREAT : constants.O_RDWR,
        0o600,
      ).catch(nullIfMissing);
      if (file) {
        try {
          // After a crash there may be bytes after the end that were never acknowledged.
          await file.truncate(size);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(source, target);
        await Promise.all([dirname(target), objects, uploads].map(syncFolder));
      }
      const stats = await stat(target).catch(nullIfMissing);
      if (stats?.size !== size) throw new BlobMissing(key);
    },

    async discard(key) {
      await rm(uploadOf(key), { force: true });
      await rm(objectOf(key), { force: true });
    },

    async read(key, range) {
      const file = await open(objectOf(key), "r").catch(nullIfMissing);
      if (!file) throw new BlobMissing(key);
      return createReadStream("", { fd: file, highWaterMark: 256 * 1024, ...range });
    },

    async remove(key) {
      await rm(objectOf(key), { force: true });
    },

    async local(key) {
      const path = objectOf(key);
      if (!(await stat(path).catch(nullIfMissing))) throw new BlobMissing(key);
      return { path, done: async () => {} };
    },

    async check() {
      await mkdir(root, { recursive: true });
      await access(root, constants.W_OK);
      if (await isNearlyFull(root)) throw new StorageDown("full", "the disk of DATA_DIR is full");
    },

    async sweep(findKnown) {
      const old: string[] = [];
      for (const name of await readdir(uploads).catch(() => [])) {
        const stats = await stat(join(uploads, name)).catch(nullIfMissing);
        if (stats && Date.now() - stats.mtimeMs > DAY_MS) old.push(name);
      }
      const knownKeys = await findKnown(old);
      const orphans = old.filter((key) => !knownKeys.has(key));
      await Promise.all(orphans.map((key) => rm(join(uploads, key), { force: true })));
      return orphans.length;
    },
  };
}

/** Throws unless `key` is one of our random keys, which are safe in paths. */
function checkedKey(key: string) {
  if (!/^[A-Za-z0-9_-]{20,64}$/.test(key)) throw new Error(`${key} is no key of a blob`);
  return key;
}

function nullIfMissing(error: NodeJS.ErrnoException) {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** Flushes a folder, so that new and renamed entries survive a power failure (fsync(2)). */
export async function syncFolder(path: string) {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const lengthOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** The rest of `parts` after the first `bytes`. */
function after(parts: Buffer[], bytes: number) {
  let skipped = 0;
  return parts.flatMap((part) => {
    const from = Math.min(part.length, bytes - skipped);
    skipped += from;
    return from < part.length ? [part.subarray(from)] : [];
  });
}
