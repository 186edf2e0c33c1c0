import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import * as asn1 from "asn1js";
import * as pkijs from "pkijs";

const run = promisify(execFile);
type Answer = { status?: number; body: Buffer };

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
export const AUTHORITY = "Loopback time stamps";

const CONFIG = `
[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = authority.pem
certs = root.pem
signer_key = authority.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
[extensions]
extendedKeyUsage = critical,timeStamping
`;

/** What a reply states: the content of its signed data. */
function tstInfoOf(tsr: Buffer) {
  const { timeStampToken } = pkijs.TimeStampResp.fromBER(Uint8Array.from(tsr).buffer);
  const signed = new pkijs.SignedData({ schema: timeStampToken?.content as never });
  return new Uint8Array(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer());
}

/** A time-stamping authority on loopback: `openssl ts` behind HTTP. `answer` replaces its reply to the next request. */
export async function startAuthority() {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-authority-"));
  const openssl = (...options: string[]) => run("openssl", options, { cwd: folder });
  writeFileSync(join(folder, "authority.cnf"), CONFIG);
  writeFileSync(join(folder, "serial"), "01\n");
  const createKey = (name: string, subject: string) =>
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
  await createKey("root", "/CN=Loopback root");
  await openssl("x509", "-req", "-in", "root.csr", "-signkey", "root.key", "-out", "root.pem", "-days", "2");
  await createKey("authority", `/O=Lyceum/CN=${AUTHORITY}`);
  const issue = ["x509", "-req", "-in", "authority.csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial"];
  const extensions = ["-extfile", "authority.cnf", "-extensions", "extensions"];
  await openssl(...issue, "-out", "authority.pem", "-days", "2", ...extensions);
  // A certificate of the same name for anything but time stamps.
  await openssl(...issue, "-out", "plain.pem", "-days", "2");

  const requests: Buffer[] = [];
  let answer: ((reply: Buffer) => Answer | Promise<Answer>) | null = null;
  const reply = async (request: Buffer) => {
    writeFileSync(join(folder, "request.tsq"), request);
    const { stdout } = await run("openssl", ["ts", "-reply", "-queryfile", "request.tsq", "-config", "authority.cnf"], {
      cwd: folder,
      encoding: "buffer",
    });
    return stdout;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const query = await buffer(request);
      requests.push(query);
      const change = answer;
      answer = null;
      const made = await reply(query);
      const { status = 200, body } = change ? await change(made) : { body: made };
      response.writeHead(status, { "content-type": "application/timestamp-reply" }).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    requests,
    answer: (change: NonNullable<typeof answer>) => {
      answer = change;
    },
    /** The statement of a reply with another year, or of another certificate, in a reply with a valid signature. */
    async forge(tsr: Buffer, { year, certificate = "authority" }: { year?: number; certificate?: string }) {
      const told = Buffer.from(tstInfoOf(tsr));
      if (year) told.write(String(year), told.indexOf(`${new Date().getUTCFullYear()}`), "latin1");
      writeFileSync(join(folder, "told"), told);
      const keys = ["-signer", `${certificate}.pem`, "-inkey", "authority.key"];
      const format = ["-binary", "-nodetach", "-md", "sha256", "-outform", "DER"];
      const type = ["-econtent_type", "1.2.840.113549.1.9.16.1.4"];
      await openssl("cms", "-sign", "-in", "told", "-out", "token", ...keys, ...format, ...type);
      const granted = new asn1.Sequence({ value: [new asn1.Integer({ value: 0 })] });
      const token = asn1.fromBER(Uint8Array.from(readFileSync(join(folder, "token"))).buffer).result;
      return Buffer.from(new asn1.Sequence({ value: [granted, token] }).toBER());
    },
    /** What openssl says of a reply about a text, with the root certificate of this authority. */
    async verify(text: string, tsr: Buffer) {
      writeFileSync(join(folder, "text"), text);
      writeFileSync(join(folder, "reply.tsr"), tsr);
      const options = ["ts", "-verify", "-data", "text", "-in", "reply.tsr", "-CAfile", "root.pem"];
      return run("openssl", options, { cwd: folder }).then(
        ({ stdout, stderr }) => `${stdout}${stderr}`,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
      );
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
