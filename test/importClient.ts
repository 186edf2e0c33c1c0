import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { type ImportDetail, type ImportRow, imports, isWorking, type Outcome } from "#shared/imports/imports.ts";
import type { ImportAbout } from "#shared/imports/importReasons.ts";
import { multipart } from "#test/client.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

type Server = Pick<Awaited<ReturnType<typeof start>>, "app" | "as">;

/** Uploads and imports through HTTP as an admin does; a running job does the work. */
export function createImporter({ app, as }: Server, admin: Person) {
  const boss = as(admin);
  const get = async (id: string) => bodyOf(await boss(imports.get, { params: { id } }));
  const waitFor = async (id: string, timeout = 60_000): Promise<ImportDetail> => {
    await expect.poll(async () => isWorking((await get(id)).state), { timeout, interval: 100 }).toBe(false);
    return get(id);
  };
  const store = async (content: string | Uint8Array, purpose = "import") => {
    const path = `imports/${randomUUID()}/people`;
    const sent = multipart({ metadata: { purpose } }, Buffer.from(content as string));
    const { statusCode } = await app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
      headers: { ...sent.headers, authorization: `Bearer ${admin.token}` },
      payload: sent.body,
    });
    expect(statusCode).toBe(200);
    return path;
  };
  const upload = async (
    companyId: string,
    content: string | Uint8Array,
    name = "people.csv",
    about: ImportAbout = "people",
  ) => {
    const path = await store(content);
    const { id } = bodyOf(await boss(imports.create, { body: { companyId, about, path, name } }));
    return waitFor(id);
  };
  const listRows = async (id: string, outcome?: Outcome): Promise<ImportRow[]> => {
    const rows: ImportRow[] = [];
    for (let page = 1; ; page++) {
      const query = { page, size: 200, ...(outcome && { outcome }) };
      const { items, total } = bodyOf(await boss(imports.rows, { params: { id }, query }));
      rows.push(...items);
      if (rows.length >= total) return rows;
    }
  };
  const apply = async (id: string, body: Partial<Parameters<typeof order>[1]> = {}) => {
    bodyOf(await order(id, { invites: false, leavers: "keep", ...body }));
    return waitFor(id);
  };
  const order = (id: string, body: Apply) => boss(imports.apply, { params: { id }, body });
  const undo = async (id: string) => {
    bodyOf(await boss(imports.undo, { params: { id } }));
    return waitFor(id);
  };
  return { store, upload, get, waitFor, listRows, apply, order, undo };
}
type Apply = { invites: boolean; leavers?: "keep" | "suspend"; keepIds?: string[]; confirm?: number };
