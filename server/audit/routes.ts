import { listAudit, listOwnAudit } from "#server/audit/auditList.ts";
import type { Mount } from "#server/core/http/http.ts";
import { audit, canReadAudit, canReadOwnAudit } from "#shared/audit/audit.ts";

export function auditRoutes(on: Mount) {
  on(audit.list, canReadAudit, (call) => listAudit(call, call.query));
  on(audit.mine, canReadOwnAudit, (call) => listOwnAudit(call, call.query));
}
