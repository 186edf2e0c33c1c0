import { createTransport } from "nodemailer";
import type { Config } from "#server/core/config.ts";
import { connectGuarded } from "#server/core/outgoing/guardedSocket.ts";
import type { MailRoute, MailServer } from "#server/mails/mailServer.ts";

// Sends emails through a mail server. Servers that admins have entered are treated as hostile

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** Maximum time for one email with its attachments. */
const TOTAL_MS = 120_000;
/** Maximum size of a server's answer, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

type Message = Parameters<ReturnType<typeof createTransport>["sendMail"]>[0];

/** Sends an email; resolves with the last answer of the server. Rejects with the error of nodemailer or the socket. */
export async function deliver(
  config: Pick<Config, "privateHosts">,
  route: MailRoute,
  academyName: string,
  message: Omit<Message, "from">,
) {
  const transport = "url" in route ? createTransport(route.url) : createTransport(optionsFor(config, route.server));
  const { response } = await transport.sendMail({
    ...message,
    from: senderOf(route, academyName),
    signal: AbortSignal.timeout(TOTAL_MS),
  });
  return response;
}

/** The sender of every email; without a name of its own, it has that of the academy. */
function senderOf(route: MailRoute, academyName: string) {
  if ("server" in route) return { name: route.server.senderName || academyName, address: route.server.senderAddress };
  return route.from.includes("<") ? route.from : { name: academyName, address: route.from };
}

const optionsFor = (
  { privateHosts }: Pick<Config, "privateHosts">,
  { host, port, security, username, password }: MailServer,
) => ({
  host,
  port,
  secure: security === "tls",
  requireTLS: security === "starttls",
  ignoreTLS: security === "none",
  ...(username && { auth: { user: username, pass: password ?? "" } }),
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: IDLE_MS,
  maxResponseSize: MAX_ANSWER_BYTES,
  disableFileAccess: true,
  disableUrlAccess: true,
  // The address of the connection itself is checked, so that the name cannot resolve to another one afterwards.
  getSocket: (_: unknown, done: GetSocketDone) => {
    connectGuarded(privateHosts, { host, port }, CONNECT_MS).then(
      (connection) => done(null, { connection }),
      (error: Error) => done(error),
    );
  },
});
type GetSocketDone = (error: Error | null, result?: { connection: import("node:net").Socket }) => void;
