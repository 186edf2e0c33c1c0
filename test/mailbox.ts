import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

/** `raw`: the message as it was received. */
type ReceivedMail = { from: string; to: string; subject: string; text: string; raw: string };

/** An SMTP server on loopback that stores received emails, for tests. */
export async function startMailbox() {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(
          read(Buffer.concat(chunks).toString(), session.envelope.rcptTo.map(({ address }) => address).join()),
        );
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const found = (to: string, subject: string) =>
    mails.filter((mail) => mail.to.includes(to) && mail.subject.includes(subject));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    count: (to: string, subject: string) => found(to, subject).length,
    /** Waits for an email to an address with this text in the subject; returns the newest. */
    async waitForMail(to: string, subject: string, seconds = 20): Promise<ReceivedMail> {
      for (let attempt = 0; attempt < seconds * 20; attempt++) {
        const last = found(to, subject).at(-1);
        if (last) return last;
        await sleep(50);
      }
      throw new Error(
        `no email "${subject}" to ${to}; there are ${JSON.stringify(mails.map((mail) => [mail.to, mail.subject]))}`,
      );
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Parses subject and plain text of a message as written by nodemailer. */
function read(raw: string, to: string): ReceivedMail {
  const subject = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(raw)?.[1]?.replace(/\r?\n[ \t]/g, " ") ?? "";
  const part = raw.split(/Content-Type: text\/plain/)[1] ?? raw;
  const body =
    part
      .split("\r\n\r\n")
      .slice(1)
      .join("\r\n\r\n")
      .split(/\r\n--/)[0] ?? "";
  const quoted = /quoted-printable/i.test(part.split("\r\n\r\n")[0] ?? "");
  return {
    from: /^From: (.*)$/m.exec(raw)?.[1]?.trim() ?? "",
    to,
    subject,
    text: quoted
      ? body
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      : body,
    raw,
  };
}
