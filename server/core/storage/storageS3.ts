import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { BlobMissing, type PartState, type Storage, StorageDown } from "#server/core/storage/storage.ts";

/**
 * Every part but the last has at least this many bytes, and there are at most 10,000 (Amazon S3, "Multipart upload
 * limits").
 */
const PART_BYTES = 5 * 1024 ** 2;
const DAY_MS = 86_400_000;

/**
 * State of an unfinished blob: uploaded parts, and the bytes after them (`tail`), in a separate object until they fill
 * a part.
 */
type State = { uploadId?: string; etags: string[]; tail?: string; tailBytes: number };
const stateOf = (state: PartState): State => ({ etags: [], tailBytes: 0, ...state });

/**
 * Storage in an S3-compatible bucket: `s3://[KEY:SECRET@]bucket[/prefix]?endpoint=…&region=…`. Without a key in the
 * URL, the credential sources of the AWS SDK apply. `scratch` is a local folder for files that need random access.
 */
export function s3Storage(url: string, scratch: string): Storage {
  const { client, bucket, prefix } = connect(url);
  const objectOf = (key: string) => `${prefix}objects/${key}`;
  const tailsOf = (key: string) => `${prefix}uploads/${key}/`;
  const at = (key: string) => ({ Bucket: bucket, Key: objectOf(key) });
  const bytesOf = async (Key: string) =>
    Buffer.from(await (await client.send(new GetObjectCommand({ Bucket: bucket, Key }))).Body!.transformToByteArray());
  const list = async (Prefix: string) => {
    const objects: { key: string; at: number }[] = [];
    for (let ContinuationToken: string | undefined; ;) {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }),
      );
      objects.push(
        ...(page.Contents ?? []).map(({ Key, LastModified }) => ({
          key: Key as string,
          at: LastModified?.getTime() ?? Date.now(),
        })),
      );
      ContinuationToken = page.NextContinuationToken;
      if (!ContinuationToken) return objects;
    }
  };
  const removeTails = async (key: string) => {
    for (const tail of await list(tailsOf(key)))
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: tail.key }));
  };

  return {
    async write(key, start, saved) {
      const state = stateOf(saved);
      let pending: Buffer[] = state.tail ? [await bytesOf(state.tail)] : [];
      let bytes = state.tailBytes;
      let position = start;
      const sendPart = async () => {
        state.uploadId ??= (await client.send(new CreateMultipartUploadCommand(at(key)))).UploadId as string;
        const body = Buffer.concat(pending);
        const part = body.subarray(0, PART_BYTES);
        const { ETag } = await client.send(
          new UploadPartCommand({
            ...at(key),
            UploadId: state.uploadId,
            PartNumber: state.etags.length + 1,
            Body: part,
          }),
        );
        state.etags.push(ETag as string);
        pending = body.length > PART_BYTES ? [body.subarray(PART_BYTES)] : [];
        bytes -= PART_BYTES;
      };
      return {
        async write(parts) {
          const added = parts.reduce((sum, { length }) => sum + length, 0);
          pending.push(...parts);
          bytes += added;
          position += added;
          for (let full = Math.floor(bytes / PART_BYTES); full > 0; full--) await sendPart();
        },
        async save() {
          const { tail: _, ...rest } = state;
          if (bytes === 0) return { ...rest, tailBytes: 0 };
          const tail = `${tailsOf(key)}${position}-${randomUUID()}`;
          await client.send(new PutObjectCommand({ Bucket: bucket, Key: tail, Body: Buffer.concat(pending) }));
          return { ...rest, tail, tailBytes: bytes };
        },
        close: async () => {},
      };
    },

    async finish(key, size, saved) {
      const { uploadId, etags, tail } = stateOf(saved);
      const done = await client.send(new HeadObjectCommand(at(key))).catch(nullIfMissing);
      if (done?.ContentLength !== size) {
        const rest = tail ? await bytesOf(tail) : Buffer.alloc(0);
        if (uploadId) {
          const parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
          if (rest.length > 0) {
            const { ETag } = await client.send(
              new UploadPartCommand({ ...at(key), UploadId: uploadId, PartNumber: parts.length + 1, Body: rest }),
            );
            parts.push({ ETag: ETag as string, PartNumber: parts.length + 1 });
          }
          await client.send(
            new CompleteMultipartUploadCommand({ ...at(key), UploadId: uploadId, MultipartUpload: { Parts: parts } }),
          );
        } else await client.send(new PutObjectCommand({ ...at(key), Body: rest }));
        const stored = await client.send(new HeadObjectCommand(at(key))).catch(nullIfMissing);
        if (stored?.ContentLength !== size) throw new BlobMissing(key);
      }
      await removeTails(key);
    },

    async discard(key, saved) {
      const { uploadId } = stateOf(saved);
      if (uploadId)
        await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId })).catch(nullIfMissing);
      await removeTails(key);
      await client.send(new DeleteObjectCommand(at(key)));
    },

    async read(key, range) {
      const object = await client
        .send(new GetObjectCommand({ ...at(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }))
        .catch(nullIfMissing);
      if (!object) throw new BlobMissing(key);
      return object.Body as Readable;
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },

    async local(key) {
      await mkdir(scratch, { recursive: true });
      const path = join(scratch, `${randomUUID()}.zip`);
      const done = () => rm(path, { force: true });
      try {
        await pipeline(await this.read(key), createWriteStream(path, { mode: 0o600 }));
      } catch (error) {
        await done();
        throw error;
      }
      return { path, done };
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },

    async sweep(findKnown) {
      const before = Date.now() - DAY_MS;
      const base = `${prefix}objects/`;
      // Services that cannot list multipart uploads answer 501; they abort them by a rule of their own, or never.
      const { Uploads = [] } = await client
        .send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: base }))
        .catch((error: unknown) => {
          if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 501) return { Uploads: [] };
          throw error;
        });
      const open = Uploads.filter(({ Initiated }) => (Initiated?.getTime() ?? 0) < before).map(
        ({ Key = "", UploadId = "" }) => ({ key: Key.slice(base.length), UploadId }),
      );
      const tails = (await list(`${prefix}uploads/`))
        .filter((tail) => tail.at < before)
        .map(({ key }) => ({ key: key.slice(`${prefix}uploads/`.length).split("/")[0] ?? "", Key: key }));
      const knownKeys = await findKnown([...new Set([...open, ...tails].map(({ key }) => key))]);
      const orphanUploads = open.filter(({ key }) => !knownKeys.has(key));
      const orphanTails = tails.filter(({ key }) => !knownKeys.has(key));
      for (const { key, UploadId } of orphanUploads)
        await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId })).catch(nullIfMissing);
      for (const { Key } of orphanTails) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
      return orphanUploads.length + orphanTails.length;
    },
  };
}

function connect(url: string) {
  const { hostname: bucket, pathname, searchParams, username, password } = new URL(url);
  const endpoint = searchParams.get("endpoint");
  const folder = pathname.replace(/^\/+|\/+$/g, "");
  const client = new S3Client({
    region: searchParams.get("region") ?? "us-east-1",
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(username && {
      credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
    }),
    // Other S3-compatible services do not support the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  client.middlewareStack.add((next) => (call) => next(call).catch(asStorageDown), { step: "initialize" });
  return { client, bucket, prefix: folder ? `${folder}/` : "" };
}

function nullIfMissing(error: unknown) {
  if (
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 404 || ["NoSuchKey", "NoSuchUpload", "NotFound"].includes(error.name))
  )
    return null;
  throw error;
}

/** Converts failures that concern every request. Omits the text of the service, which repeats key and signature. */
function asStorageDown(error: unknown): never {
  const { name, code, $metadata } = error as { name: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const isMissingKey = name === "CredentialsProviderError";
  if (isMissingKey || [401, 403].includes($metadata?.httpStatusCode ?? 0))
    throw new StorageDown("refused", `the bucket refuses the credentials (${name})`);
  if (/^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)/.test(code ?? "") || name === "TimeoutError")
    throw new StorageDown("unreachable", `the bucket does not answer (${code ?? name})`);
  throw error;
}
