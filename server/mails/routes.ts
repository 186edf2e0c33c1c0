import type { Mount } from "#server/core/http/http.ts";
import { readMailServer, removeMailServer, saveMailServer } from "#server/mails/mailServerSettings.ts";
import { testMailServer, tryMailServer } from "#server/mails/mailTest.ts";
import { listMails, retryMails } from "#server/mails/service.ts";
import { canChangeMailServer, canReadMailServer, mailServers } from "#shared/mails/mailServer.ts";
import { canReadMails, canRetryMails, mails } from "#shared/mails/mails.ts";

export function mailRoutes(on: Mount) {
  on(mails.list, canReadMails, (call) => listMails(call, call.query));
  on(mails.retry, canRetryMails, (call) => retryMails(call));
  on(mailServers.get, canReadMailServer, (call) => readMailServer(call));
  on(mailServers.save, canChangeMailServer, (call) => saveMailServer(call, call.body));
  on(mailServers.remove, canChangeMailServer, (call) => removeMailServer(call));
  on(mailServers.test, canChangeMailServer, (call) => testMailServer(call));
  on(mailServers.tryOut, canChangeMailServer, (call) => tryMailServer(call, call.body));
}
