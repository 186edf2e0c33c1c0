import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { clientOf } from "#server/auth/client.ts";
import { finishProviderSignIn } from "#server/auth/sso/providerSignIn.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { escapeHtml, jsonElement } from "#server/core/rendering/html.ts";
import type { Services } from "#server/core/services.ts";
import { readSettings } from "#server/settings/service.ts";
import { EXTERNAL_CHANNEL, type ExternalResult } from "#shared/auth/auth.ts";

/**
 * Reports the result to the page that opened this window, then closes it. A BroadcastChannel is limited to our origin
 * and needs no opener.
 */
const script = `
const result = JSON.parse(document.getElementById('result').textContent)
const channel = new BroadcastChannel('${EXTERNAL_CHANNEL}')
channel.postMessage(result)
setTimeout(() => window.close(), 50)`;
const style = `
body {
  font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 30em; padding: 0 20px;
  color: #15201e; background: #f1f4f3;
}
@media (prefers-color-scheme: dark) {
  body { color: #e4ebe9; background: #0e1514; }
  a { color: #82c6cd; }
}`;
const cspHash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${cspHash(script)}`,
  `style-src ${cspHash(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Redirect URL for providers: a small page without the opener policy of other pages, which would break the popup. */
export function providerReturnRoute(app: FastifyInstance, services: Services, library: BetterAuth) {
  app.get("/api/auth/external/return", async (request, reply) => {
    const search = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
    const { result, cookies } = await finishProviderSignIn(services, library, clientOf(request), search);
    if (cookies.length > 0) reply.header("set-cookie", cookies);
    reply
      .header("cache-control", "no-store")
      .header("content-security-policy", policy)
      .header("referrer-policy", "no-referrer")
      .header("x-content-type-options", "nosniff");
    const name = await readSettings(services.db).then(
      ({ academyName }) => academyName,
      () => "Lyceum",
    );
    return reply.type("text/html; charset=utf-8").send(renderReturnPage(result, name));
  });
}

/** The page that is shown if the popup does not close automatically. The result is embedded as data, never as code. */
function renderReturnPage(result: ExternalResult, name: string) {
  const message = result.problem ? result.problem.error : "You can close this window.";
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(name)}</title>`,
    `<style>${style}</style>`,
    `<p>${escapeHtml(message)}</p>`,
    `<p><a href="/login">Go to ${escapeHtml(name)}</a></p>`,
    jsonElement("result", JSON.stringify(result)),
    `<script>${script}</script></html>`,
  ].join("");
}
