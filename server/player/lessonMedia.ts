import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "#server/core/services.ts";
import { notFound } from "#server/core/http/problem.ts";
import { deliver } from "#server/files/delivery.ts";
import type { Grant } from "#server/player/grants.ts";

type MediaParams = { Params: { grant: string; file: string } };

/** The files of the lessons of one version, for those who have a grant for it. */
export function lessonMediaRoutes(
  app: FastifyInstance,
  services: Services,
  requireGrant: (request: FastifyRequest) => Promise<void>,
  grantOf: (request: FastifyRequest) => Grant,
) {
  const { config, db } = services;
  app.get<MediaParams>(
    "/media/:grant/:file",
    { config: { pace: "course" }, onRequest: requireGrant },
    async (request, reply) => {
      const id = z.uuid().safeParse(request.params.file);
      if (!id.success) throw notFound();
      const file = await db
        .selectFrom("files")
        .innerJoin("lessonMedia", "lessonMedia.fileId", "files.id")
        .where("lessonMedia.versionId", "=", grantOf(request).versionId)
        .where("files.id", "=", id.data)
        .where("deletedAt", "is", null)
        .selectAll("files")
        .executeTakeFirst();
      if (!file) throw notFound();
      const { status, headers, body } = await deliver(services, file, {
        head: request.method === "HEAD",
        range: request.headers.range,
        ifNoneMatch: request.headers["if-none-match"],
        ifRange: request.headers["if-range"] as string | undefined,
      });
      const isCaptions = /^text\/vtt\b/i.test(file.contentType);
      return reply
        .code(status)
        .headers({
          ...headers,
          ...(isCaptions && { "content-type": "text/vtt; charset=utf-8" }),
          // The page of the lesson, on the origin of the application, shows them; captions only with CORS.
          "access-control-allow-origin": config.publicUrl,
          "cross-origin-resource-policy": "cross-origin",
          "cache-control": "private, max-age=604800, immutable",
        })
        .send(body ?? "");
    },
  );
}
