import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

type S3rver = {
  configureBuckets(): Promise<unknown>;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
};
const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as new (options: object) => S3rver;

const MIN_PART_BYTES = 5 * 1024 ** 2;

/**
 * An S3-compatible server on loopback with one bucket. A wrapper adds what S3rver lacks: the minimum part size of 5
 * MiB, and listing and aborting multipart uploads.
 */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), "lyceum-s3-"));
  // S3rver signs the bucket URL without its trailing slash, so mismatched signatures are allowed.
  const s3 = new S3rver({
    directory,
    silent: true,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: "academy" }],
  });
  await s3.configureBuckets();
  const handle = s3.callback();
  const open = new Map<string, { key: string; parts: Map<number, number>; since: Date }>();
  const refuse = (response: ServerResponse, status: number, code: string) =>
    response
      .writeHead(status, { "content-type": "application/xml" })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://s3");
    const id = searchParams.get("uploadId");
    const upload = id ? open.get(id) : undefined;
    if (id && !upload) return refuse(response, 404, "NoSuchUpload");
    if (request.method === "DELETE" && id) {
      open.delete(id);
      return response.writeHead(204).end();
    }
    if (request.method === "GET" && searchParams.has("uploads")) {
      const items = [...open].map(
        ([uploadId, { key, since }]) =>
          `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${since.toISOString()}</Initiated></Upload>`,
      );
      return response
        .writeHead(200, { "content-type": "application/xml" })
        .end(
          `<?xml version="1.0"?><ListMultipartUploadsResult><Bucket>academy</Bucket>${items.join("")}</ListMultipartUploadsResult>`,
        );
    }
    if (request.method === "PUT" && upload)
      upload.parts.set(Number(searchParams.get("partNumber")), Number(request.headers["content-length"]));
    if (request.method === "POST" && id && upload) {
      const sizes = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, size]) => size);
      if (sizes.slice(0, -1).some((size) => size < MIN_PART_BYTES)) return refuse(response, 400, "EntityTooSmall");
      open.delete(id);
    }
    if (request.method === "POST" && searchParams.has("uploads")) {
      const chunks: Buffer[] = [];
      const end = response.end.bind(response);
      response.end = ((body?: Buffer | string) => {
        if (body) chunks.push(Buffer.from(body));
        const uploadId = /<UploadId>([^<]+)/.exec(Buffer.concat(chunks).toString())?.[1];
        if (uploadId)
          open.set(uploadId, {
            key: decodeURIComponent(pathname.replace(/^\/academy\//, "")),
            parts: new Map(),
            since: new Date(),
          });
        return end(body as string);
      }) as typeof response.end;
    }
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://S3RVER:S3RVER@academy/lyceum?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}&region=us-east-1`,
    open,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
