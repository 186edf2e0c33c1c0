import type { Mount } from "#server/core/http/http.ts";
import { listMails, retryMails } from "#server/mails/service.ts";
import { canReadMails, canRetryMails, mails } from "#shared/mails/mails.ts";

export function mailRoutes(on: Mount) {
  on(mails.list, canReadMails, (call) => listMails(call, call.query));
  on(mails.retry, canRetryMails, (call) => retryMails(call));
}
