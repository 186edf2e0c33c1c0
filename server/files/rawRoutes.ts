import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Ctx } from "#server/core/http/http.ts";
import { explainInLine } from "#server/core/http/issues.ts";
import { notFound, Problem, signedOut } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { deliver } from "#server/files/delivery.ts";
import { finishUpload } from "#server/files/uploadCompletion.ts";
import { parseJson, readMultipart, unreadable } from "#server/files/multipart.ts";
import { readPath } from "#server/files/paths.ts";
import { receive } from "#server/files/uploadChunks.ts";
import {
  addToken,
  findFile,
  listFiles,
  objectOf,
  getReadableFile,
  removeFile,
  revokeToken,
  updateFile,
} from "#server/files/service.ts";
import { isRevoked, nonceOf } from "#server/files/tokens.ts";
import { declareReceived, cancelUpload, findUpload, startUpload } from "#server/files/uploads.ts";
import {
  BUCKET,
  canChangeFile,
  canReadFile,
  FIRST_CHUNK,
  objectChange,
  objectMetadata,
  purposes,
  upload,
} from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";

type Verify = (authorization: string | undefined) => Promise<User | null>;
type Query = Record<string, string | undefined>;

const listQuery = z.object({
  prefix: z.string().max(1024).default(""),
  delimiter: z.string().max(16).default(""),
  maxResults: z.coerce.number().int().min(1).max(1000).default(1000),
  pageToken: z.string().max(2048).default(""),
});

/**
 * Object storage routes, compatible with the Firebase Storage client. Bodies are streams, so these routes have no
 * contracts.
 */
export function fileRawRoutes(app: FastifyInstance, services: Services, verify: Verify) {
  /** The Firebase client sends `Firebase <token>`, all others `Bearer <token>`. */
  const userOf = (request: FastifyRequest) => verify(request.headers.authorization?.replace(/^Firebase /i, "Bearer "));
  const ctxOf = async (request: FastifyRequest): Promise<Ctx<User>> => {
    const user = await userOf(request);
    if (!user) throw signedOut();
    return { ...services, log: request.log as Services["log"], user };
  };

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_, payload, done) => done(null, payload));
    scope.addHook("onRequest", async (request, reply) => {
      if ((request.params as { bucket?: string }).bucket !== BUCKET) throw notFound();
      reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    });
    const bodyLimit = 2 ** 40;

    scope.get("/v0/b/:bucket/o", async (request) => {
      const ctx = await ctxOf(request);
      const query = listQuery.safeParse(request.query, { reportInput: true });
      if (!query.success) throw unreadable(explainInLine(query.error));
      const { prefix, delimiter, maxResults, pageToken } = query.data;
      return listFiles(ctx, {
        prefix,
        delimiter,
        size: maxResults,
        after: Buffer.from(pageToken, "base64url").toString("utf8").replaceAll("\0", ""),
      });
    });

    scope.post("/v0/b/:bucket/o", { bodyLimit }, async (request, reply) => {
      const ctx = await ctxOf(request);
      const query = request.query as Query;
      if (query.upload_id) return runCommand(ctx, query.upload_id, request, reply);
      const path = readPath(encodeURIComponent(query.name ?? ""));
      const protocol = request.headers[upload.protocol];
      if (protocol === "resumable") return beginUpload(ctx, path, request, reply);
      if (protocol === "multipart") return uploadWhole(ctx, path, request);
      throw unreadable(`${upload.protocol} must be multipart or resumable`);
    });

    scope.get("/v0/b/:bucket/o/*", { config: { pace: "file" } }, async (request, reply) => {
      const user = await userOf(request);
      const path = pathOf(request);
      const { alt, token } = request.query as Query;
      if (alt !== "media") {
        if (!user) throw signedOut();
        const file = await getReadableFile({ ...services, user }, path);
        return objectOf(services, file, canChangeFile(user, file));
      }
      const { status, headers, body } = await deliver(services, await downloadableFile(path, user, token), {
        head: request.method === "HEAD",
        range: request.headers.range,
        ifNoneMatch: request.headers["if-none-match"],
        ifRange: request.headers["if-range"] as string | undefined,
      });
      return reply
        .code(status)
        .headers(headers)
        .send(body ?? "");
    });

    scope.patch("/v0/b/:bucket/o/*", async (request) => {
      const ctx = await ctxOf(request);
      const change = objectChange.safeParse(await jsonOf(request), { reportInput: true });
      if (!change.success) throw unreadable(explainInLine(change.error));
      return updateFile(ctx, pathOf(request), change.data);
    });

    scope.delete("/v0/b/:bucket/o/*", async (request, reply) => {
      await removeFile(await ctxOf(request), pathOf(request));
      return reply.code(204).send();
    });

    scope.post("/v0/b/:bucket/o/*", async (request) => {
      const ctx = await ctxOf(request);
      const { create_token: create, delete_token: revoke } = request.query as Query;
      if (create) return addToken(ctx, pathOf(request));
      if (revoke) return revokeToken(ctx, pathOf(request), revoke);
      throw unreadable("create_token or delete_token is missing");
    });
  });

  /** The file for a download: by a valid token, or if the user may read it. 403 for a revoked token. */
  const downloadableFile = async (path: string, user: User | null, token: string | undefined) => {
    const file = await findFile(services.db, path);
    if (file && token && nonceOf(services.config.secret, file, token)) return file;
    if (file && canReadFile(user, file)) return file;
    if (file && token && isRevoked(services.config.secret, file, token)) throw new Problem(403, "files.tokenRevoked");
    throw user || token ? notFound() : signedOut();
  };

  const beginUpload = async (ctx: Ctx<User>, path: string, request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers[upload.command] !== "start") throw unreadable(`${upload.command} must be start`);
    const size = Number(request.headers[upload.length]);
    if (!/^\d{1,15}$/.test(String(request.headers[upload.length] ?? "")))
      throw unreadable(`${upload.length} must be the size of the file in bytes`);
    const metadata = readMetadata(await jsonOf(request));
    const type = request.headers[upload.type];
    const session = await startUpload(ctx, {
      path,
      size,
      metadata: { ...(typeof type === "string" && { contentType: type }), ...metadata },
    });
    const query = new URLSearchParams({ name: path, upload_id: session.id, upload_protocol: "resumable" });
    reply.headers({
      [upload.status]: "active",
      [upload.url]: `${ctx.config.publicUrl}/v0/b/${BUCKET}/o?${query}`,
      [upload.granularity]: String(FIRST_CHUNK),
    });
    return {};
  };

  const runCommand = async (ctx: Ctx<User>, id: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!z.uuid().safeParse(id).success) throw new Problem(404, "files.uploadGone");
    const commands = String(request.headers[upload.command] ?? "")
      .split(",")
      .map((name) => name.trim());
    if (commands.includes("query")) {
      const { status, received } = await findUpload(ctx, id);
      reply.headers({
        [upload.status]: status === "expired" ? "cancelled" : status,
        [upload.received]: String(received),
      });
      return {};
    }
    if (commands.includes("cancel")) {
      await cancelUpload(ctx, id);
      reply.header(upload.status, "cancelled");
      return {};
    }
    if (!commands.includes("upload") && !commands.includes("finalize"))
      throw unreadable(`${upload.command} must be upload, finalize, query or cancel`);
    if (commands.includes("upload")) {
      const offset = String(request.headers[upload.offset] ?? "");
      if (!/^\d{1,15}$/.test(offset)) throw unreadable(`${upload.offset} must be a number`);
      const length = request.headers["content-length"];
      const received = await receive(ctx, id, {
        offset: Number(offset),
        body: bodyOf(request),
        length: length ? Number(length) : null,
      });
      reply.header(upload.received, String(received));
    }
    if (!commands.includes("finalize")) {
      reply.header(upload.status, "active");
      return {};
    }
    const object = await finishUpload(ctx, id).catch((error: unknown) => {
      if (error instanceof Problem && error.code === "files.incomplete") reply.header(upload.status, "active");
      throw error;
    });
    reply.header(upload.status, "final");
    return object;
  };

  /** Description and bytes in one request. Until the bytes are counted, Content-Length is taken for their number. */
  const uploadWhole = async (ctx: Ctx<User>, path: string, request: FastifyRequest) => {
    const { description, body } = await readMultipart(request.headers["content-type"] ?? "", bodyOf(request));
    const metadata = readMetadata(description);
    const declaredSize = Number(request.headers["content-length"] ?? purposes.document.maxBytes);
    const session = await startUpload(ctx, { path, size: declaredSize, metadata });
    try {
      await declareReceived(ctx, session.id, await receive(ctx, session.id, { offset: 0, body, length: null }));
      return await finishUpload(ctx, session.id);
    } catch (error) {
      await cancelUpload(ctx, session.id);
      throw error;
    }
  };
}

const readMetadata = (sent: unknown) => {
  const metadata = objectMetadata.safeParse(dropNulls(sent), { reportInput: true });
  if (!metadata.success) throw unreadable(explainInLine(metadata.error));
  return metadata.data;
};
const dropNulls = (sent: unknown) =>
  Object.fromEntries(Object.entries((sent ?? {}) as object).filter(([, value]) => value !== null));

/** The object path from the raw URL, because Fastify would decode it. */
function pathOf(request: FastifyRequest) {
  const [path = ""] = request.raw.url?.split("?") ?? [];
  return readPath(path.slice(path.indexOf("/o/") + 3));
}

const bodyOf = (request: FastifyRequest) => (request.body ?? request.raw) as Readable;

async function jsonOf(request: FastifyRequest) {
  let text = "";
  for await (const chunk of bodyOf(request).iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.length > 64 * 1024) throw unreadable("its description is too long");
  }
  return parseJson(text);
}
