import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Writes a .br and a .gz file next to every text file of a build of at least 1000 bytes, so that the server need not
 * compress them.
 */
async function compress(path: string) {
  const bytes = await readFile(path);
  if (bytes.length < 1000) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    brotli(bytes, { params }).then((compressed) => writeFile(`${path}.br`, compressed)),
    zip(bytes, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ]);
}

const paths = readdirSync(process.argv[2] as string, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(js|css|svg|json|txt)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
await Promise.all(paths.map(compress));
