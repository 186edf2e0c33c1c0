import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strFromU8, unzipSync } from "fflate";

/** The cells of a CSV file without line breaks in its cells. */
const cellsOf = (text: string) =>
  text
    .replace(/^\ufeff/, "")
    .trim()
    .split("\r\n")
    .map((line) =>
      [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^",]*),/g)].map(([, cell = ""]) =>
        cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
      ),
    );

/** The files of a ZIP archive: their texts, the rows of the tables among them, and a folder with all of them. */
export function unpack(zip: Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-audit-"));
  const texts = Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([path, bytes]) => {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      return [path, strFromU8(bytes)];
    }),
  );
  const rows = (path: string) => {
    const [heads = [], ...lines] = cellsOf(texts[path] ?? "");
    return lines.map((line) => Object.fromEntries(heads.map((head, at) => [head, line[at] ?? ""])));
  };
  /** Runs the script of the pack: its exit code and what it prints. */
  const verify = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "verify.mjs"), ...args], {
      encoding: "utf8",
      env: {},
    });
    return { status, output: stdout + stderr };
  };
  return { folder, texts, rows, verify };
}
