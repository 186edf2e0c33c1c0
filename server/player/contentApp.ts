import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import statics from "@fastify/static";
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { sql } from "kysely";
import { z } from "zod";
import { activeUsers } from "#server/auth/service.ts";
import { sendProblem } from "#server/core/errorHandler.ts";
import { notFound, Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { ensureUnpacked } from "#server/courses/imports.ts";
import type { Committer } from "#server/player/commit.ts";
import { findFile, typeOf } from "#server/player/files.ts";
import { type Grant, readGrant } from "#server/player/grants.ts";
import { shellPage } from "#server/player/shell.ts";
import { commit as commitBody, SESSION_HEADER } from "#shared/player.ts";

const shellFolder = join(import.meta.dirname, "../../dist/shell");
/** How long a grant found to be alive is believed without asking again, in ms. */
const BELIEVED_MS = 30_000;

/**
 * The content origin: the player shell, the files of packages, and the shell's own last commit. It knows no cookies and
 * no people; a grant in the path opens the files of one version for one attempt.
 */
export async function createContentApp(services: Services, commit: Committer) {
  const { config, log, db } = services;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 4 * 1024 ** 2,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 2000 },
  });
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler(async () => {
    throw notFound();
  });
  app.addHook("onRequest", async (request, reply) => {
    // A worker would outlive the course and sit between every later one and its files.
    if (request.headers["service-worker"]) throw new Problem(403, "core.forbidden");
    reply.headers({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "geolocation=(), payment=(), usb=(), serial=(), bluetooth=()",
    });
  });
  await app.register(statics, {
    root: shellFolder,
    prefix: "/shell/",
    decorateReply: true,
    maxAge: "365d",
    immutable: true,
    index: false,
  });

  const believed = new Map<string, { until: number; open: Promise<boolean> }>();
  /** Whether the person of an attempt may still be here, and a grant is in time or a session of it open. */
  const isOpen = async ({ attemptId, ends }: Grant) => {
    const found = await activeUsers(db)
      .innerJoin("attempts", "attempts.userId", "users.id")
      .where("attempts.id", "=", attemptId)
      .where((e) => e.or([e("users.role", "=", "admin"), e("users.companyId", "=", e.ref("attempts.companyId"))]))
      .select(
        sql<boolean>`exists (select from sessions where attempt_id = attempts.id and ended_at is null)`.as("session"),
      )
      .executeTakeFirst();
    return found !== undefined && (ends > Date.now() || found.session);
  };
  const ask = (text: string, grant: Grant) => {
    if (believed.size > 10_000) believed.clear();
    // A database that is away stops no course that is open.
    const open = isOpen(grant).catch((error: unknown) => {
      log.error({ err: error }, "a grant could not be looked up");
      if (grant.ends > Date.now()) return true;
      throw error;
    });
    open.then(
      (yes) => yes || believed.delete(text),
      () => believed.delete(text),
    );
    believed.set(text, { until: Date.now() + BELIEVED_MS, open });
    return open;
  };
  /** The grant of a request: not forged, and open. */
  const granted = async (text: string) => {
    const grant = readGrant(config.secret, text);
    if (!grant) throw notFound();
    const known = believed.get(text);
    if (!(await (known && known.until > Date.now() ? known.open : ask(text, grant))))
      throw new Problem(403, "core.forbidden");
    return grant;
  };

  app.get<{ Params: { grant: string } }>("/play/:grant/", async ({ params }, reply) => {
    await granted(params.grant);
    const page = shellPage(config.publicUrl, params.grant);
    return reply
      .headers({ "content-security-policy": page.policy, "cache-control": "no-store" })
      .type("text/html; charset=utf-8")
      .send(page.html);
  });

  app.get<{ Params: { grant: string; "*": string } }>("/files/:grant/*", async (request, reply) => {
    const { versionId } = await granted(request.params.grant);
    return sendFile(request, reply, await ensureUnpacked(services, versionId), request.params["*"]);
  });

  const sendFile = async (request: FastifyRequest, reply: FastifyReply, folder: string, path: string) => {
    const found = await findFile(folder, path);
    if (!found) throw notFound();
    reply.headers({
      "content-security-policy": `frame-ancestors 'self' ${config.publicUrl}`,
      "cache-control": "private, max-age=604800, immutable",
    });
    request.log.debug({ route: "files" }, "package file");
    return reply
      .type(typeOf(found))
      .sendFile(found, folder, { cacheControl: false, dotfiles: "allow", index: false, contentType: false });
  };

  // The last commit of a closing tab comes from the shell itself, as plain text: a closing page may not ask first (CORS).
  app.addContentTypeParser("text/plain", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.post<{ Params: { id: string }; Querystring: { token?: string } }>("/commit/:id", async (request) => {
    const id = z.uuid().safeParse(request.params.id);
    if (!id.success) throw notFound();
    const token = String(request.headers[SESSION_HEADER] ?? request.query.token ?? "");
    return commit(id.data, token, readTail(request.body));
  });
  return app;
}

/** JSON, gzipped when it was long: what a closing page may still send is 65,536 bytes (fetch standard, keepalive). */
function readTail(body: unknown) {
  try {
    const bytes = body as Buffer;
    const json = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: 8 * 1024 ** 2 }) : bytes;
    return commitBody.parse(JSON.parse(json.toString("utf8")));
  } catch {
    throw new Problem(422, "core.invalid");
  }
}
