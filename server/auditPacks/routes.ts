import { drawSample, openAudit, openPerson, openSample, sendToAuditor } from "#server/auditPacks/links/auditor.ts";
import { createLink, endLink, listLinks } from "#server/auditPacks/links/links.ts";
import { checkPack, createPack, getPack, listPacks, removePack, sendPack } from "#server/auditPacks/service.ts";
import type { Mount } from "#server/core/http/http.ts";
import { auditPacks, canManagePacks, canOpenAudit } from "#shared/auditPacks/auditPacks.ts";

export function auditPackRoutes(on: Mount) {
  on(auditPacks.list, canManagePacks, (call) => listPacks(call, call.params.id, call.query));
  on(auditPacks.create, canManagePacks, (call) => createPack(call, call.params.id, call.body));
  on(auditPacks.get, canManagePacks, (call) => getPack(call, call.params.id));
  on(auditPacks.file, canManagePacks, (call) => sendPack(call, call.params.id));
  on(auditPacks.check, canManagePacks, (call) => checkPack(call, call.params.id));
  on(auditPacks.remove, canManagePacks, (call) => removePack(call, call.params.id));
  on(auditPacks.links, canManagePacks, (call) => listLinks(call, call.params.id));
  on(auditPacks.link, canManagePacks, (call) => createLink(call, call.params.id, call.body));
  on(auditPacks.unlink, canManagePacks, (call) => endLink(call, call.params.id));
  on(auditPacks.open, canOpenAudit, (call) => openAudit(call, call.params.token));
  on(auditPacks.draw, canOpenAudit, (call) => drawSample(call, call.params.token, call.body));
  on(auditPacks.sample, canOpenAudit, (call) => openSample(call, call.params.token, call.params.no));
  on(auditPacks.person, canOpenAudit, (call) => openPerson(call, call.params.token, call.params.no, call.params.key));
  on(auditPacks.download, canOpenAudit, (call) => sendToAuditor(call, call.params.token));
}
