import { sessionIdOf } from "#server/auth/client.ts";
import { requireReauth } from "#server/auth/reauth/reauthPolicy.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { networkOf } from "#server/core/limits/network.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { keepFor, prepareBytes, sendPrepared } from "#server/core/http/preparedBytes.ts";
import { forbidden, notFound, signedOut } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { calendarFeed, eventCalendar } from "#server/events/public/calendar.ts";
import { exportRegistrations } from "#server/events/organiser/registrationExport.ts";
import { myTicketPicture } from "#server/events/registrations/selfService.ts";
import { robots, sitemap } from "#server/events/public/pageHead.ts";
import { getVisibleEvent } from "#server/events/public/visibility.ts";
import { deliver } from "#server/files/delivery.ts";
import { findFile } from "#server/files/service.ts";
import { registrationsExportPath, ticketPicturePath } from "#shared/events/eventRegistrations.ts";
import { CALENDAR_PATH, canManageEvents, eventCalendarPath } from "#shared/events/events.ts";
import type { User } from "#shared/core/users.ts";
import { registrationFilter } from "#shared/events/registrationRows.ts";

type Verify = (authorization: string | undefined) => Promise<User | null>;
const visitQuery = z.object({ code: z.string().trim().max(60).optional(), grant: z.string().max(200).optional() });
const PUBLIC_CACHE = "public, max-age=300";
/** The largest age of the sitemap and the feed in the server's cache. */
const PUBLIC_AGE_MS = 5000;
const NO_CACHE = "private, no-store";

/** Event routes that do not return JSON: calendars, pictures, exports, sitemap.xml and robots.txt. */
export function eventRawRoutes(app: FastifyInstance, services: Services, verify: Verify) {
  const ctxOf = async (request: FastifyRequest): Promise<Ctx> => ({
    ...services,
    log: request.log as Services["log"],
    user: await verify(request.headers.authorization),
  });
  const visibleEvent = async (request: FastifyRequest) => {
    const query = visitQuery.safeParse(request.query);
    if (!query.success) throw notFound();
    return getVisibleEvent(await ctxOf(request), (request.params as { slug: string }).slug, {
      ...query.data,
      network: networkOf(request.ip),
    });
  };
  const calendarReply = (reply: FastifyReply, name: string, cache: string) =>
    reply.headers({
      "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": cache,
      "x-content-type-options": "nosniff",
    });
  const sendPicture = async (request: FastifyRequest, reply: FastifyReply, path: string | null | undefined) => {
    const file = path ? await findFile(services.db, path) : undefined;
    if (!file || file.purpose !== "event_cover") throw notFound();
    const { status, headers, body } = await deliver(services, file, {
      head: request.method === "HEAD",
      range: request.headers.range,
      ifNoneMatch: request.headers["if-none-match"],
      ifRange: request.headers["if-range"] as string | undefined,
    });
    return reply
      .code(status)
      .headers(headers)
      .send(body ?? "");
  };

  /** Serves a reply that is the same for everybody and cached for PUBLIC_AGE_MS. */
  const servePublic = (url: string, headers: Record<string, string>, read: () => Promise<string>) => {
    const prepare = keepFor(PUBLIC_AGE_MS, async () =>
      prepareBytes(await read(), { "cache-control": PUBLIC_CACHE, ...headers }),
    );
    app.get(url, async (request, reply) => sendPrepared(request, reply, await prepare()));
  };
  servePublic(
    CALENDAR_PATH,
    {
      "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
      "content-disposition": 'attachment; filename="events.ics"',
    },
    () => calendarFeed(services),
  );
  servePublic("/sitemap.xml", { "content-type": "application/xml; charset=utf-8" }, () => sitemap(services));
  servePublic("/robots.txt", { "content-type": "text/plain; charset=utf-8" }, async () => robots(services));

  app.get(eventCalendarPath(":slug"), async (request, reply) => {
    const event = await visibleEvent(request);
    return calendarReply(reply, `${event.slug}.ics`, event.visibility === "public" ? PUBLIC_CACHE : NO_CACHE).send(
      eventCalendar(services, event),
    );
  });
  app.get("/api/events/:slug/cover", { config: { pace: "file" } }, async (request, reply) =>
    sendPicture(request, reply, (await visibleEvent(request)).cover),
  );
  app.get("/api/events/:slug/photos/:speakerId", { config: { pace: "file" } }, async (request, reply) => {
    const { speakerId } = request.params as { speakerId: string };
    return sendPicture(
      request,
      reply,
      (await visibleEvent(request)).speakers.find(({ id }) => id === speakerId)?.photo,
    );
  });
  app.get(ticketPicturePath(":token"), async (request, reply) =>
    reply
      .headers({ "cache-control": NO_CACHE, "x-content-type-options": "nosniff" })
      .type("image/png")
      .send(await myTicketPicture(await ctxOf(request), (request.params as { token: string }).token)),
  );

  for (const kind of ["csv", "xlsx"] as const) {
    app.get(registrationsExportPath(":id", kind), { config: { priority: "heavy" } }, async (request, reply) => {
      const ctx = await ctxOf(request);
      if (!ctx.user) throw signedOut();
      if (!canManageEvents(ctx.user)) throw forbidden();
      await requireReauth(services, ctx.user, sessionIdOf(request));
      const id = z.uuid().safeParse((request.params as { id: string }).id);
      const filter = registrationFilter.safeParse(request.query);
      if (!id.success || !filter.success) throw notFound();
      const { name, type, body } = await exportRegistrations({ ...ctx, user: ctx.user }, id.data, kind, filter.data);
      return reply
        .headers({
          "content-disposition": `attachment; filename="${name}"`,
          "cache-control": NO_CACHE,
          "x-content-type-options": "nosniff",
        })
        .type(type)
        .send(body);
    });
  }
}
