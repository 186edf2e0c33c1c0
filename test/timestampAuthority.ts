import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";

const run = promisify(execFile);

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

  const requests: Buffer[] = [];
  let answer: ((reply: Buffer) => { status?: number; body: Buffer }) | null = null;
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
      const { status = 200, body } = change ? change(made) : { body: made };
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
