import { strToU8, Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** A ZIP archive that is written, and what it has written since `takeOutput` was last called. */
export function openZip() {
  let output: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    output.push(bytes);
  });
  const takeOutput = () => {
    const bytes = output;
    output = [];
    return bytes;
  };
  return { zip, takeOutput };
}

/**
 * A file of an archive: a text, which is compressed, or bytes as they are read, which are stored as they are unless
 * `isCompressed` is true.
 */
export type ZipEntry = { path: string; content: string | AsyncIterable<Uint8Array>; isCompressed?: true };

const LEVEL = 6;

/**
 * Streams files as a ZIP archive; memory use does not depend on their size. At most 4 GiB together. `modified`: the
 * time that all files show, as ZIP stores it, in no particular zone; by default the present time of the server.
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  modified = new Date(),
): AsyncGenerator<Uint8Array> {
  const { zip, takeOutput } = openZip();
  for await (const { path, content, isCompressed = typeof content === "string" } of entries) {
    const file = isCompressed ? new ZipDeflate(path, { level: LEVEL }) : new ZipPassThrough(path);
    file.mtime = modified;
    zip.add(file);
    if (typeof content === "string") {
      file.push(strToU8(content), true);
      yield* takeOutput();
      continue;
    }
    for await (const bytes of content) {
      file.push(bytes);
      yield* takeOutput();
    }
    file.push(new Uint8Array(), true);
    yield* takeOutput();
  }
  zip.end();
  yield* takeOutput();
}
