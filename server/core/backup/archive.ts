import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { z } from "zod";

// The file of a backup: a gzipped tar. Its last entry is the manifest, with the size and SHA-256 of every other entry.

const MANIFEST = "manifest.json";
/** Raised whenever older versions of Lyceum cannot read the file. */
const FORMAT = 1;

const manifestShape = z.object({
  format: z.int(),
  /** Version of Lyceum that wrote the backup. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Names of the migrations that the database had. */
  migrations: z.array(z.string()),
  rows: z.int(),
  entries: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestShape>;

/** The backup cannot be used; the message says why and is for the operator. */
export class BackupError extends Error {}

export type ArchiveWriter = {
  /** Adds an entry of exactly this many bytes. */
  add: (name: string, bytes: number, content: Readable | Buffer) => Promise<void>;
  /** Writes the manifest and moves the file to its place. Returns its size in bytes. */
  finish: (facts: Pick<Manifest, "version" | "migrations" | "rows">) => Promise<number>;
  /** Deletes what was written. */
  abort: () => Promise<void>;
};

/** Where a backup is written until it is complete. */
export const partOf = (path: string) => `${path}.part`;

/**
 * Creates a backup file, readable by its owner only. It is written to `path`.part and renamed when it is complete and
 * flushed.
 */
export function createArchive(path: string): ArchiveWriter {
  const partial = partOf(path);
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 1 }), createWriteStream(partial, { mode: 0o600 }));
  // Ends an `add` too, which would otherwise wait for ever.
  const failed = new Promise<never>((_, reject) => written.catch(reject));
  failed.catch(() => {});
  const entries: Manifest["entries"] = {};

  const addEntry = async (name: string, bytes: number, content: Readable | Buffer) => {
    const hash = createHash("sha256");
    const entry = tar.entry({ name, size: bytes, mode: 0o600 });
    const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      entry,
    );
    entries[name] = { bytes, sha256: hash.digest("hex") };
  };

  return {
    add: (name, bytes, content) => Promise.race([addEntry(name, bytes, content), failed]),
    async finish(facts) {
      const manifest: Manifest = { format: FORMAT, createdAt: new Date().toISOString(), ...facts, entries };
      const text = Buffer.from(JSON.stringify(manifest, null, 1));
      await Promise.race([addEntry(MANIFEST, text.length, text), failed]);
      tar.finalize();
      await written;
      const file = await open(partial, "r+");
      await file.sync();
      await file.close();
      await rename(partial, path);
      return (await stat(path)).size;
    },
    async abort() {
      tar.destroy();
      await written.catch(() => {});
      await rm(partial, { force: true });
    },
  };
}

/**
 * Calls `read` for every entry in order, and skips what it leaves unread. Rejects if the file cannot be unpacked or
 * `read` rejects.
 */
export function readArchive(path: string, read: (name: string, content: Readable) => Promise<void>): Promise<void> {
  const entries = extract();
  return new Promise((resolve, reject) => {
    const source = createReadStream(path);
    const unzipped = createGunzip();
    const fail = (error: Error) => {
      source.destroy();
      unzipped.destroy();
      entries.destroy();
      reject(error);
    };
    entries.on("entry", (header, stream, next) => {
      const content = Readable.from(stream as AsyncIterable<Buffer>);
      read(header.name, content).then(() => {
        if (content.closed || content.readableEnded) return next();
        content.once("close", next).resume();
      }, fail);
    });
    entries.on("finish", resolve);
    source.on("error", fail);
    unzipped.on("error", fail);
    entries.on("error", fail);
    source.pipe(unzipped).pipe(entries);
  });
}

/**
 * Reads the whole file and checks every entry against the manifest. Throws `BackupError` for a file that is damaged,
 * cut or newer.
 */
export async function verifyArchive(path: string): Promise<Manifest> {
  const actual: Manifest["entries"] = {};
  let manifestText = "";
  try {
    await readArchive(path, async (name, content) => {
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const chunk of content as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        hash.update(chunk);
        if (name === MANIFEST) manifestText += chunk.toString("utf8");
      }
      if (name !== MANIFEST) actual[name] = { bytes, sha256: hash.digest("hex") };
    });
  } catch (error) {
    throw new BackupError(`${path} is damaged or incomplete: ${(error as Error).message}`);
  }
  if (!manifestText) throw new BackupError(`${path} is incomplete: it has no manifest`);
  const head = z.object({ format: z.int(), version: z.string() }).safeParse(parseJson(manifestText));
  if (!head.success) throw new BackupError(`${path} is damaged: its manifest cannot be read`);
  if (head.data.format > FORMAT)
    throw new BackupError(
      `${path} was written by Lyceum ${head.data.version}. Restore it with that version or a newer one.`,
    );
  const manifest = manifestShape.parse(parseJson(manifestText));
  const names = new Set([...Object.keys(manifest.entries), ...Object.keys(actual)]);
  for (const name of names) {
    if (actual[name]?.sha256 !== manifest.entries[name]?.sha256)
      throw new BackupError(`${path} is damaged: ${name} is not what was written`);
  }
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
