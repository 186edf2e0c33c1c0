import { z } from "zod";
import { defineContracts, del, get, post, put } from "#shared/core/route.ts";
import { isAcademyAdmin, withReauth } from "#shared/core/users.ts";

// The mail server of the academy: set up by admins, unless the operator sets SMTP_URL

/**
 * `tls`: encrypted from the start; `starttls`: encrypted before anything is sent; `none`: only for hosts in
 * PRIVATE_HOSTS.
 */
export const mailSecurity = z.enum(["tls", "starttls", "none"]);
export type MailSecurity = z.infer<typeof mailSecurity>;
/** The usual port for each kind of encryption. */
export const usualPorts: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 };

const oneLine = (text: string) => !/\p{Cc}/u.test(text);
const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(253)
  .regex(/^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|[0-9a-f:.]+)$/, { error: "mails.badHost" });

export const mailServerInput = z.object({
  host: hostName,
  port: z.int().min(1).max(65_535),
  security: mailSecurity,
  /** Empty: the server needs no login. */
  username: z.string().trim().max(320).refine(oneLine, { error: "core.invalid" }).default(""),
  /** If omitted, the stored password is kept, provided server and user name are unchanged. */
  password: z.string().min(1).max(1000).optional(),
  /** Empty: the name of the academy. */
  senderName: z.string().trim().max(100).refine(oneLine, { error: "core.invalid" }).default(""),
  senderAddress: z
    .string()
    .trim()
    .max(254)
    .pipe(z.email({ error: "core.badEmail" })),
});
export type MailServerInput = z.output<typeof mailServerInput>;

export const storedMailServer = mailServerInput.omit({ password: true }).extend({
  senderAddress: z.string(),
  /** A password is stored and can be decrypted. */
  hasPassword: z.boolean(),
  version: z.int(),
  updatedAt: z.string(),
});
export type StoredMailServer = z.infer<typeof storedMailServer>;

export const mailServerState = z.object({
  /** Set by the operator with SMTP_URL and MAIL_FROM: takes precedence over `server`. */
  operator: z.object({ host: z.string(), sender: z.string() }).nullable(),
  server: storedMailServer.nullable(),
});
export type MailServerState = z.infer<typeof mailServerState>;

/** Why a test email was not sent. */
export const mailFailure = z.enum([
  "private",
  "unknownHost",
  "refusedConnection",
  "unreachable",
  "timeout",
  "closed",
  "encryption",
  "certificate",
  "login",
  "sender",
  "recipient",
  "message",
  "answer",
]);
export type MailFailure = z.infer<typeof mailFailure>;
/** `answer`: the answer of the server, word for word. */
export const mailTest = z.object({
  to: z.string(),
  failure: mailFailure.nullable(),
  answer: z.string(),
});
export type MailTest = z.infer<typeof mailTest>;

export const canReadMailServer = isAcademyAdmin;
/** Requires recent authentication: a mail server receives links that give access to accounts. */
export const canChangeMailServer = withReauth(canReadMailServer);

export const mailServers = defineContracts("mailServer", {
  get: get("/api/mail-server", {
    does: "Get the mail server; its password is never returned",
    reply: mailServerState,
  }),
  save: put("/api/mail-server", {
    does: "Set up or change the mail server; 409 if it changed since `version`. Requires recent authentication",
    /** `version`: 0 for the first one. */
    body: mailServerInput.extend({ version: z.int().min(0) }),
    reply: mailServerState,
  }),
  remove: del("/api/mail-server", {
    does: "Remove the mail server: emails stay in the outbox. Requires recent authentication",
  }),
  test: post("/api/mail-server/test", {
    does: "Send a test email to me with the mail server in use, and return its answer",
    reply: mailTest,
  }),
  tryOut: post("/api/mail-server/try", {
    does: "Send a test email to me with settings that are not saved, and return the answer of the server",
    body: mailServerInput,
    reply: mailTest,
  }),
});
