import { call } from "#web/core/api/api.ts";
import { mails } from "#shared/mails/mails.ts";

/** True if emails are only stored in the outbox because no mail server is set up. */
export async function isDeliveryDisabled() {
  const { isSending } = await call(mails.list, { query: { size: 1 } }).catch(() => ({ isSending: true }));
  return !isSending;
}
