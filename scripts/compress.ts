import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Writes a .br and a .gz file next to every text file of a build of at least 1000 bytes, so that the server need not compress them. */
const walk = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
for (const path of walk(process.argv[2] as string).filter((name) => /\.(js|css|svg|json|txt)$/.test(name))) {
  const bytes = readFileSync(path);
  if (bytes.length < 1000) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
