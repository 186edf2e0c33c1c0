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

/** A file of an archive: a text, which is compressed, or bytes as they are read, which are stored as they are. */
export type ZipEntry = { path: string; content: string | AsyncIterable<Uint8Array> };

/** Streams files as a ZIP archive; memory use does not depend on their size. At most 4 GiB together. */
export async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const { zip, takeOutput } = openZip();
  for await (const { path, content } of entries) {
    if (typeof content === "string") {
      const file = new ZipDeflate(path, { level: 6 });
      zip.add(file);
      file.push(strToU8(content), true);
      yield* takeOutput();
      continue;
    }
    const file = new ZipPassThrough(path);
    zip.add(file);
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
