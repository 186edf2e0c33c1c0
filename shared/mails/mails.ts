import { z } from "zod";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// The outbox: every email with its reason and status. Readable by admins, because a mail server is optional

export const mailStatus = z.enum(["kept", "queued", "sent", "failed"]);
export const mail = z.object({
  id: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  reason: z.string(),
  status: mailStatus,
  error: z.string().nullable(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
});
export type Mail = z.infer<typeof mail>;
/**
 * An attachment; `content` in base64. `cid`: an image shown in the HTML. `method`: a calendar entry that mail clients
 * process (iTIP, RFC 5546).
 */
export type MailAttachment = {
  name: string;
  type: string;
  content: string;
  cid?: string;
  method?: "REQUEST" | "CANCEL";
};

export const canReadMails = isAdmin;
export const canRetryMails = isAdmin;

export const mails = defineContracts("mails", {
  list: get("/api/mails", {
    does: "List the emails in the outbox, newest first",
    query: listQuery.extend({ status: mailStatus.optional() }),
    /** `isSending`: there is a mail server; otherwise new emails stay in the outbox. */
    reply: page(mail).extend({ isSending: z.boolean() }),
  }),
  retry: post("/api/mails/retry", {
    does: "Send all emails again that were not sent; replies how many",
    body: z.object({}),
    reply: z.object({ changed: z.int() }),
  }),
});
