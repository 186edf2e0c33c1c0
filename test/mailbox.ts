import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

type Letter = { to: string; subject: string; text: string };

/** A mail server on loopback that keeps what it gets: the other end of SMTP in tests. */
export async function startMailbox() {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        letters.push(
          read(Buffer.concat(chunks).toString(), session.envelope.rcptTo.map(({ address }) => address).join()),
        );
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const found = (to: string, subject: string) =>
    letters.filter((one) => one.to.includes(to) && one.subject.includes(subject));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    count: (to: string, subject: string) => found(to, subject).length,
    /** The newest letter to somebody whose subject holds these words, waited for. */
    async letter(to: string, subject: string, seconds = 20): Promise<Letter> {
      for (let tries = 0; tries < seconds * 20; tries++) {
        const last = found(to, subject).at(-1);
        if (last) return last;
        await sleep(50);
      }
      throw new Error(
        `no letter "${subject}" to ${to}; there are ${JSON.stringify(letters.map((one) => [one.to, one.subject]))}`,
      );
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Subject and plain text of a message as nodemailer writes it. */
function read(raw: string, to: string): Letter {
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
    to,
    subject,
    text: quoted
      ? body
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      : body,
  };
}
