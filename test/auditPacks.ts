import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { makePacks } from "#server/auditPacks/jobs.ts";
import { auditPacks, type LinkDays, type PackInput } from "#shared/auditPacks/auditPacks.ts";
import { bodyOf } from "#test/probes.ts";
import { dayIn } from "#test/requirements.ts";
import type { Person, start } from "#test/start.ts";

/** Makes audit packs, opens them, and gives auditors links. */
export function createAuditTester({ app, as, services }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const call = as(admin);
  const get = async (id: string) => bodyOf(await call(auditPacks.get, { params: { id } }));
  const work = () => makePacks.run(services, {});
  const order = async (companyId: string, input: Partial<PackInput> = {}) => {
    const asked: PackInput = { from: dayIn(-90), to: dayIn(-1), asOf: dayIn(-1), courseIds: [], ...input };
    return bodyOf(await call(auditPacks.create, { params: { id: companyId }, body: asked }));
  };
  const make = async (companyId: string, input: Partial<PackInput> = {}) => {
    const { id } = await order(companyId, input);
    await work();
    return get(id);
  };
  const check = async (id: string) => {
    bodyOf(await call(auditPacks.check, { params: { id } }));
    await work();
    return get(id);
  };
  const fetchZip = async (url: string, by?: Person) => {
    const headers = by && { authorization: `Bearer ${by.token}` };
    const reply = await app.inject({ url, ...(headers && { headers }) });
    if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode}`);
    return reply.rawPayload;
  };
  const download = (id: string) => fetchZip(`/api/audit-packs/${id}/file`, admin);
  const link = async (id: string, mayDownload = false, days: LinkDays = 7) => {
    const made = bodyOf(await call(auditPacks.link, { params: { id }, body: { label: "Veritas", days, mayDownload } }));
    return { ...made, token: made.url.split("/").at(-1) as string };
  };
  return { call, get, work, order, make, check, fetchZip, download, link };
}

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
