import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import compress from "@fastify/compress";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { auditHeadOf } from "#server/auditPacks/pageHead.ts";
import { hasSession, parseCookies } from "#server/auth/cookies.ts";
import { verifyHeadOf } from "#server/certificates/pageHead.ts";
import { chatHeadOf } from "#server/chatbots/pageHead.ts";
import { readFrameOrigins } from "#server/chatbots/botAccess.ts";
import { createServerRendering } from "#server/core/rendering/serverRendering.ts";
import { withHead } from "#server/core/rendering/htmlHead.ts";
import { otherHosts } from "#server/core/http/origins.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import { notFound } from "#server/core/http/problem.ts";
import { serveHashedFiles, serveNamedFiles } from "#server/core/http/staticFiles.ts";
import type { Services } from "#server/core/services.ts";
import { pageHeadOf } from "#server/events/public/pageHead.ts";
import { readAcademy } from "#server/settings/service.ts";
import { sharedHeadOf } from "#server/transcripts/pageHead.ts";
import { isUuid } from "#shared/core/uuid.ts";

const frameAncestors = (origins: string[]) => `frame-ancestors ${origins.length > 0 ? origins.join(" ") : "'none'"}`;
/** The page of a public chatbot, embedded in a page of another site. */
const EMBEDDED_CHAT = /^\/chatbot\/([^/?]+)\?(?:.*&)?embed=1(?:&|$)/i;
/** Check-in needs the camera and chats the microphone; embedded in another site, pages get neither. */
const permissions = (isOwn: boolean) =>
  isOwn ? "camera=(self), microphone=(self), geolocation=()" : "camera=(), microphone=(), geolocation=()";
const distFolder = join(import.meta.dirname, "../dist");
const webFolder = join(distFolder, "web");

const findHead = async (services: Services, url: string, isGuest: boolean) =>
  verifyHeadOf(url) ??
  sharedHeadOf(url) ??
  auditHeadOf(url) ??
  (await pageHeadOf(services, url)) ??
  chatHeadOf(services, url, isGuest);
/** False for malformed percent-encoding, which is the address of no page. */
const isDecodable = (url: string) => {
  try {
    return typeof decodeURIComponent(url.split("?")[0] ?? "") === "string";
  } catch {
    return false;
  }
};

/**
 * Serves the static files, and the single page for every other path that is not part of the API. Requests to the host
 * of the content origin, and to other names of this machine, are redirected to the application.
 */
export async function servePages(app: FastifyInstance, services: Services, limitGuest: GuestLimit) {
  const { config, admission } = services;
  const isBuilt = existsSync(join(webFolder, "index.html"));
  const index = isBuilt
    ? readFileSync(join(webFolder, "index.html"), "utf8")
    : '<!doctype html><title>Lyceum</title><div id="root"></div>The pages have not been built. Run npm start.';
  const signInMethods = config.google ? "google" : "";
  const page = index.replace("</head>", `<meta name="sign-in" content="${signInMethods}"></head>`);
  const inlineScriptHashes = [...index.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) =>
      `'sha256-${createHash("sha256")
        .update(code as string)
        .digest("base64")}'`,
  );
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${inlineScriptHashes.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    // Pictures, videos and captions of lessons.
    `img-src 'self' data: blob: ${config.contentOrigin}`,
    `media-src 'self' ${config.contentOrigin}`,
    "font-src 'self' data:",
    `frame-src ${config.contentOrigin}`,
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
  const policyFor = (framers: string[]) => [...policy, frameAncestors(framers)].join("; ");
  const headers = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "origin-agent-cluster": "?1",
    // Browsers refuse a page with this policy in a sandboxed window, so a package cannot open our login page and then
    // replace it.
    "cross-origin-opener-policy": "same-origin-allow-popups",
  };
  await app.register(compress, { global: false });
  if (isBuilt) {
    serveNamedFiles(app, webFolder, ["index.html", "chunks.json"]);
    serveHashedFiles(app, "/assets/", join(webFolder, "assets"));
  }
  const { renderInto, frameInto, hasPage } = await createServerRendering(app, distFolder);
  const redirectedHosts = otherHosts(config);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  /** Requests whose page is rendered. Beyond the limit of guests, pages are sent without content. */
  const rendered = new WeakSet<FastifyRequest>();
  const countPage = async (request: FastifyRequest) => {
    const isGuest = !hasSession(parseCookies(request.headers.cookie));
    // With a session cookie, which has not been checked yet, a page counts as a fifth.
    await limitGuest.slowRead(request, { cost: isGuest ? 1 : 0.2 }).then(
      () => rendered.add(request),
      () => {},
    );
  };
  app.get("/*", { onRequest: countPage, config: { priority: "light" } }, async (request, reply) => {
    if (/^\/(api|v0|assets)\//.test(request.url)) throw notFound();
    // Cookies ignore ports: if pages were served on the host of the content origin, a package could use the session
    // cookie.
    if (redirectedHosts.has(request.hostname)) return reply.redirect(config.publicUrl + request.url, 307);
    const isGuest = !hasSession(parseCookies(request.headers.cookie));
    // The page works without its head, so it is sent even if the database does not respond.
    const [head, academy] = await Promise.all([
      findHead(services, request.url, isGuest).catch(
        (error: unknown) => void request.log.error({ err: error }, "could not build the head of a page"),
      ),
      Promise.race([readAcademy(services).catch(() => null), sleep(1000, null, { ref: false })]),
    ]);
    if (head?.location) return reply.redirect(head.location, head.status);
    const status = head?.status ?? (isDecodable(request.originalUrl) && hasPage(request.url) ? 200 : 404);
    reply.code(status);
    if (head?.noindex) reply.header("x-robots-tag", "noindex");
    const pageWithHead = withHead(page, { academy, page: head ?? null });
    const render = () => {
      if (!rendered.has(request) || academy === null || request.method !== "GET" || status !== 200) return pageWithHead;
      // The browser can render it as well.
      if (isGuest && admission.isBusy()) return pageWithHead;
      if (!isGuest) return frameInto(pageWithHead, { url: request.url, academy });
      return renderInto(pageWithHead, { url: request.url, academy, signInMethods }, request.ip);
    };
    const html = await render();
    const [, chatbotId] = EMBEDDED_CHAT.exec(request.url) ?? [];
    const embedded = isUuid(chatbotId) ? chatbotId : undefined;
    const origins = embedded ? await readFrameOrigins(services, embedded) : [];
    return reply
      .headers(headers)
      .header("permissions-policy", permissions(embedded === undefined))
      .header("content-security-policy", policyFor(origins))
      .header("cache-control", "no-cache")
      .header("vary", "cookie")
      .type("text/html; charset=utf-8")
      .compress(html);
  });
}
