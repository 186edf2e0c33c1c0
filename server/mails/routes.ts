import type { Mount } from "#server/core/http.ts";
import { listMails } from "#server/mails/service.ts";
import { canReadMails, mails } from "#shared/mails.ts";

export function mailRoutes(on: Mount) {
  on(mails.list, canReadMails, (call) => listMails(call, call.query));
}
