import { isRefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import type { MailFailure } from "#shared/mails/mailServer.ts";

const MAX_CHARS = 300;

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** Why an email could not be delivered, and the server's answer, without the password that it may contain. */
export function explainFailure(error: SmtpError, password: string | null): { failure: MailFailure; answer: string } {
  return { failure: kindOf(error), answer: clean(error.response ?? "", password) };
}

function kindOf(error: SmtpError): MailFailure {
  const { code = "", command = "", message } = error;
  if (isRefusedAddress(error)) return "private";
  if (code === "ENOTFOUND" || code === "EDNS" || code === "EAI_AGAIN") return "unknownHost";
  if (code === "ECONNREFUSED") return "refusedConnection";
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return "unreachable";
  if (code === "ETIMEDOUT" || code === "EABORT" || error.name === "TimeoutError") return "timeout";
  if (/certificate|altnames/i.test(message)) return "certificate";
  if (code === "ETLS" || /\bSSL\b|\bTLS\b|wrong version number/i.test(message)) return "encryption";
  if (code === "EAUTH" || code === "ENOAUTH") return "login";
  if (/^MAIL FROM/i.test(command)) return "sender";
  if (/^RCPT TO/i.test(command)) return "recipient";
  if (error.responseCode !== undefined) return command === "DATA" ? "message" : "answer";
  if (["ECONNECTION", "ECONNRESET", "EPIPE", "ESOCKET"].includes(code)) return "closed";
  return "answer";
}

/** A server's text for display: one line of limited length, without the password in any encoding that SMTP uses. */
function clean(text: string, password: string | null) {
  const secrets = password ? [password, Buffer.from(password).toString("base64").replace(/=+$/, "")] : [];
  const masked = secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
  return masked
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_CHARS);
}

/** The failure as a single text for the outbox. */
export const failureText = (error: SmtpError, password: string | null) =>
  clean(error.response ?? error.message, password);
