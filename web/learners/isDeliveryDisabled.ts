import { call } from "#web/core/api/api.ts";
import { mails } from "#shared/mails/mails.ts";

/** True if emails are only stored in the outbox because no mail server is set up. Determined from the newest email. */
export async function isDeliveryDisabled() {
  const { items } = await call(mails.list, { query: { size: 1 } }).catch(() => ({ items: [] }));
  return items[0]?.status === "kept";
}
