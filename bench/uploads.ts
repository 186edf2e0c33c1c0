import { execFileSync } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { auth } from "#shared/auth/auth.ts";
import { objectAddress, OBJECTS_PATH, upload } from "#shared/files/files.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess, freePort } from "#test/process.ts";
import { median, round } from "./_load.ts";

/**
 * Uploads and downloads of one large file, as ratios to baselines on the same disk and loopback: `cp` with a flush plus
 * SHA-256, and a static file server in Node. Then ten concurrent uploads and their memory use.
 */
const MIB = 1024 ** 2;
const SIZE = Number(process.env.SIZE_MB ?? 300) * MIB;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CHUNK = 32 * MIB;
const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
const source = join(folder, "source.bin");
const bytes = randomFillSync(Buffer.alloc(SIZE));
writeFileSync(source, bytes);
const seconds = async (work: () => unknown) => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

const server = await createProcess({ STORAGE_QUOTA: "100GB" });
await server.start();
const client = createClient(server.url);
const { token } = await client.call(auth.signIn, { body: ADMIN });
const authorization = `Bearer ${token}`;
const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function send(path: string) {
  const session = await fetch(`${server.url}${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
    method: "POST",
    headers: {
      authorization,
      [upload.protocol]: "resumable",
      [upload.command]: "start",
      [upload.length]: String(SIZE),
    },
    body: JSON.stringify({ metadata: { purpose: "course" } }),
  });
  const address = session.headers.get(upload.url) as string;
  for (let at = 0; at < SIZE; at += CHUNK) {
    const last = at + CHUNK >= SIZE;
    await post(address, bytes.subarray(at, at + CHUNK), {
      authorization,
      [upload.command]: last ? "upload, finalize" : "upload",
      [upload.offset]: String(at),
    });
  }
}
/** Sends bytes as they are: `fetch` copies them twice, which takes more processor time than the server. */
const post = (url: string, body: Buffer, headers: Record<string, string>) =>
  new Promise<void>((resolve, reject) =>
    httpRequest(url, { method: "POST", headers: { ...headers, "content-length": body.length } }, (reply) => {
      if (reply.statusCode === 200) reply.on("end", resolve).resume();
      else reject(new Error(`${reply.statusCode}`));
    })
      .on("error", reject)
      .end(body),
  );
const drain = (url: string, headers: Record<string, string> = {}) =>
  new Promise<void>((resolve, reject) =>
    httpRequest(url, { headers }, (reply) => reply.on("end", resolve).resume())
      .on("error", reject)
      .end(),
  );

const port = await freePort();
const plain = createServer((_, reply) => createReadStream(source).pipe(reply)).listen(port, "127.0.0.1");
const durations = { upload: [] as number[], copy: [] as number[], download: [] as number[], static: [] as number[] };
await send("bench/warm.bin");
for (let n = 0; n < ROUNDS; n++) {
  durations.copy.push(
    await seconds(() => {
      execFileSync("cp", [source, join(folder, "copy.bin")]);
      execFileSync("sync", [join(folder, "copy.bin")]);
      createHash("sha256")
        .update(readFileSync(join(folder, "copy.bin")))
        .digest();
    }),
  );
  durations.upload.push(await seconds(() => send(`bench/${n}.bin`)));
  durations.static.push(await seconds(() => drain(`http://127.0.0.1:${port}/`)));
  durations.download.push(
    await seconds(() => drain(`${server.url}${objectAddress(`bench/${n}.bin`)}?alt=media`, { authorization })),
  );
}
const idle = rss();
let peak = idle;
const watch = setInterval(() => {
  peak = Math.max(peak, rss());
}, 100);
const ten = await seconds(() => Promise.all(Array.from({ length: 10 }, (_, n) => send(`bench/ten-${n}.bin`))));
clearInterval(watch);

const rate = (times: number[]) => round(SIZE / MIB / median(times), 0);
console.log(
  JSON.stringify({
    megabytes: SIZE / MIB,
    upload: {
      mbPerSecond: rate(durations.upload),
      toCopyAndHash: round(median(durations.copy) / median(durations.upload)),
    },
    download: {
      mbPerSecond: rate(durations.download),
      toStaticServer: round(median(durations.static) / median(durations.download)),
    },
    tenAtOnce: {
      mbPerSecond: round((10 * SIZE) / MIB / ten, 0),
      idleMb: round(idle, 0),
      peakMb: round(peak, 0),
      overIdleMb: round(peak - idle, 0),
    },
  }),
);
plain.close();
await server.stop();
await server.remove();
rmSync(folder, { recursive: true, force: true });
