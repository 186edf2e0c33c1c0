import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { createBreather } from "#server/core/breather.ts";
import { contentTypeOf } from "#server/core/http/contentTypes.ts";
import { describeOperation, documentOf } from "#server/core/http/openapi.ts";
import { keepFor, prepareBytes, sendPrepared } from "#server/core/http/preparedBytes.ts";
import type { Contract } from "#shared/core/route.ts";

const PREFIX = "/api/docs";
/** The files of Swagger UI that the page needs. */
const files = ["swagger-ui.css", "swagger-ui-bundle.js"];
const folder = join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui")), "static");

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Lyceum API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${PREFIX}/swagger-ui.css"></head>
<body><div id="swagger-ui"></div>
<script src="${PREFIX}/swagger-ui-bundle.js"></script><script src="${PREFIX}/start.js"></script></body>
</html>
`;
const START = `SwaggerUIBundle({
  dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null, url: "/api/openapi.json"
});
`;
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
/** Browsers ask again, and get 304. */
const CACHE = "public, no-cache";
const headersOf = (type: string) => ({
  "content-type": `${type}; charset=utf-8`,
  "cache-control": CACHE,
  "content-security-policy": POLICY,
});

/**
 * `/api/openapi.json`, and `/api/docs`, which displays it. The replies are the same for everybody, so each is prepared
 * at the first request for it and kept.
 */
export function apiDocsRoutes(app: FastifyInstance, contracts: Contract[], publicUrl: string) {
  const serve = (url: string, type: string, read: () => Promise<Buffer | string>) => {
    const prepare = keepFor(Number.POSITIVE_INFINITY, async () => prepareBytes(await read(), headersOf(type)));
    app.get(url, async (request, reply) => sendPrepared(request, reply, await prepare()));
  };
  const writeDocument = async () => {
    const breathe = createBreather();
    const operations: [Contract, Record<string, unknown>][] = [];
    for (const contract of contracts) {
      operations.push([contract, describeOperation(contract)]);
      await breathe();
    }
    return JSON.stringify(documentOf(operations, publicUrl));
  };
  serve("/api/openapi.json", "application/json", writeDocument);
  serve(PREFIX, "text/html", async () => PAGE);
  serve(`${PREFIX}/`, "text/html", async () => PAGE);
  serve(`${PREFIX}/start.js`, "text/javascript", async () => START);
  for (const name of files) serve(`${PREFIX}/${name}`, contentTypeOf(name), () => readFile(join(folder, name)));
  // The path at which other programs look for it.
  app.get(`${PREFIX}/json`, (_, reply) => reply.redirect("/api/openapi.json", 308));
}
