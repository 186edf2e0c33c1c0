import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import compress from "@fastify/compress";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { hasSession } from "#server/auth/cookies.ts";
import { createServerRendering } from "#server/core/serverRendering.ts";
import { withHead } from "#server/core/htmlHead.ts";
import { notFound } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { pageHeadOf } from "#server/events/public/pageHead.ts";
import { readAcademy } from "#server/settings/service.ts";

const dist = join(import.meta.dirname, "../dist");
const web = join(dist, "web");

/** The single page for every address that is no file and no API; the host of the content origin is never the application. */
export async function servePages(app: FastifyInstance, services: Services) {
  const { config } = services;
  const built = existsSync(join(web, "index.html"));
  const index = built
    ? readFileSync(join(web, "index.html"), "utf8")
    : '<!doctype html><title>Lyceum</title><div id="root"></div>The pages are not built yet: run npm start.';
  const ways = config.google ? "google" : "";
  const page = index.replace("</head>", `<meta name="sign-in" content="${ways}"></head>`);
  const inline = [...index.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) =>
      `'sha256-${createHash("sha256")
        .update(code as string)
        .digest("base64")}'`,
  );
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${inline.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `frame-src ${config.contentOrigin}`,
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = {
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
  };
  await app.register(compress, { global: false });
  if (built) {
    await app.register(statics, {
      root: web,
      index: false,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ["index.html*", "chunks.json*"],
      setHeaders: (reply, path) => {
        const fixed = /[/\\]assets[/\\]/.test(path);
        reply.header("cache-control", fixed ? "public, max-age=31536000, immutable" : "no-cache");
        reply.header("x-content-type-options", "nosniff");
      },
    });
  }
  const fill = await createServerRendering(app, dist);
  const contentHost = new URL(config.contentOrigin).hostname;
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  app.get("/*", async (request, reply) => {
    if (/^\/(api|v0|assets)\//.test(request.url)) throw notFound();
    // Cookies ignore ports: on the host of the content origin a package could ride on the session. So pages move away.
    if (request.hostname === contentHost && new URL(config.publicUrl).hostname !== contentHost)
      return reply.redirect(config.publicUrl + request.url, 307);
    // Without the head the page still works: a database that does not answer is no reason to send nothing.
    const [told, academy] = await Promise.all([
      pageHeadOf(services, request.url).catch(
        (error: unknown) => void request.log.error({ err: error }, "a page has no head"),
      ),
      Promise.race([readAcademy(services).catch(() => null), sleep(1000, null, { ref: false })]),
    ]);
    if (told?.location) return reply.redirect(told.location, told.status);
    if (told) reply.code(told.status);
    if (told?.noindex) reply.header("x-robots-tag", "noindex");
    const headed = withHead(page, { academy, page: told ?? null });
    const drawable =
      academy !== null && request.method === "GET" && !hasSession(request.cookies) && (told?.status ?? 200) === 200;
    const whole = drawable ? await fill(headed, { url: request.url, academy, ways }, request.ip) : headed;
    return reply
      .headers(headers)
      .header("cache-control", "no-cache")
      .header("vary", "cookie")
      .type("text/html; charset=utf-8")
      .compress(whole);
  });
}
