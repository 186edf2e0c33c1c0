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
