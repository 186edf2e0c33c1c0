import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import { jsonElement } from "#server/core/rendering/html.ts";
import {
  QUERY_DATA_ELEMENT,
  type CreateRenderer,
  type FrameOf,
  type HasPage,
  RENDERED_ATTRIBUTE,
  type RenderRequest,
  SCRIPTS_ELEMENT,
  SESSION_ATTRIBUTE,
  type ApiFetch,
} from "#shared/core/rendering.ts";

/** Chunks of the browser build by source file, as written by Vite (`build.manifest`). */
type ManifestEntry = { file: string; css?: string[]; imports?: string[] };
type Manifest = Record<string, ManifestEntry>;
export type Rendering = {
  /**
   * Inserts the rendered page into the HTML of the application. Returns the HTML unchanged if there is nothing to
   * render, or after an error.
   */
  renderInto: (html: string, request: RenderRequest, ip: string) => Promise<string>;
  /**
   * Inserts the layout without content, and links by which the browser loads the chunks of the page at once. For
   * requests with a session.
   */
  frameInto: (html: string, request: Pick<RenderRequest, "url" | "academy">) => string;
  /** Whether the application has a page for a URL; true for every URL if the pages have not been built. */
  hasPage: HasPage;
};

/** If rendering takes longer, the page is sent without content and the browser renders it. */
const TIMEOUT_MS = 1500;

/**
 * Renders public pages with the components of the browser application. Their queries use the API of this application as
 * a guest with the IP address of the visitor, so a page contains nothing that a stranger could not request, and the
 * rate limits of the API apply. See docs/decisions/0014-server-side-rendering.md.
 */
export async function createServerRendering(app: FastifyInstance, dist: string): Promise<Rendering> {
  const bundle = join(dist, "ssr/server.js");
  if (!existsSync(bundle)) return { renderInto: async (html) => html, frameInto: (html) => html, hasPage: () => true };
  const { createRenderer, frameOf, hasPage } = (await import(pathToFileURL(bundle).href)) as {
    createRenderer: CreateRenderer;
    frameOf: FrameOf;
    hasPage: HasPage;
  };
  const manifest = JSON.parse(readFileSync(join(dist, "web/chunks.json"), "utf8")) as Manifest;
  const visitorIp = new AsyncLocalStorage<string>();
  const renderPage = createRenderer(createApiFetch(app, visitorIp));

  const renderInto: Rendering["renderInto"] = async (html, request, ip) => {
    try {
      const page = await visitorIp.run(ip, () =>
        Promise.race([renderPage(request), sleep(TIMEOUT_MS, null, { ref: false })]),
      );
      if (!page) return html;
      const unknownFiles = page.files.filter((file) => !manifest[file]);
      if (unknownFiles.length > 0) throw new Error(`The manifest of the built pages lacks ${unknownFiles.join(", ")}`);
      const queryData = page.queryData ? jsonElement(QUERY_DATA_ELEMENT, page.queryData) : "";
      const htmlWithStyles = withStyles(manifest, page.files, html);
      return withDeferredScripts(htmlWithStyles, scriptsOf(manifest, page.files)).replace(
        '<div id="root"></div>',
        () => `<div id="root" ${RENDERED_ATTRIBUTE}>${page.html}</div>${queryData}`,
      );
    } catch (error) {
      app.log.error({ err: error, url: request.url }, "a page could not be rendered");
      return html;
    }
  };
  const frameInto: Rendering["frameInto"] = (html, request) => {
    try {
      const { html: frame, files } = frameOf(request);
      const page = withStyles(manifest, files, html).replace("<html ", `<html ${SESSION_ATTRIBUTE} `);
      // Without a layout there is nothing to paint first.
      if (!frame) return withPreloads(page, scriptsOf(manifest, files));
      return withDeferredScripts(page, scriptsOf(manifest, files)).replace(
        '<div id="root"></div>',
        () => `<div id="root">${frame}</div>`,
      );
    } catch (error) {
      app.log.error({ err: error, url: request.url }, "the layout of a page could not be rendered");
      return html;
    }
  };
  return { renderInto, frameInto, hasPage };
}

/** The API for a page that is rendered for a guest: without cookie or token; only GET requests have an effect. */
const createApiFetch =
  (app: FastifyInstance, visitorIp: AsyncLocalStorage<string>): ApiFetch =>
  async (path, { method = "GET" }) => {
    if (method !== "GET") return new Response(null, { status: 204 });
    const { statusCode, body } = await app.inject({
      url: path,
      headers: { accept: "application/json" },
      remoteAddress: visitorIp.getStore() ?? "127.0.0.1",
    });
    return new Response(statusCode === 204 ? null : body, {
      status: statusCode,
      headers: { "content-type": "application/json" },
    });
  };

/** The chunks of these source files and everything they import, imports first, each once. */
function chunksWithImports(manifest: Manifest, keys: string[], visited = new Set<string>()): ManifestEntry[] {
  return keys.flatMap((key) => {
    const entry = manifest[key];
    if (!entry || visited.has(key)) return [];
    visited.add(key);
    return [...chunksWithImports(manifest, entry.imports ?? [], visited), entry];
  });
}
const scriptsOf = (manifest: Manifest, files: string[]) =>
  chunksWithImports(manifest, files).map(({ file }) => `/${file}`);

/**
 * The main typeface in the manifest. Only style sheets refer to it, so without a preload the browser would find it
 * late.
 */
const FONT = /hanken-grotesk-latin-wght-normal\.woff2$/;

/** Adds the style sheets of the page, which must be loaded before its first paint, and a preload of the typeface. */
function withStyles(manifest: Manifest, files: string[], html: string) {
  const styles = new Set(chunksWithImports(manifest, files).flatMap(({ css = [] }) => css.map((path) => `/${path}`)));
  const links = [...styles]
    .filter((path) => !html.includes(`"${path}"`))
    .map((path) => `<link rel="stylesheet" crossorigin href="${path}">`);
  const font = Object.entries(manifest).find(([key]) => FONT.test(key))?.[1].file;
  if (font) links.push(`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`);
  return html.replace("</head>", () => `${links.join("")}</head>`);
}

/** Adds preloads of scripts that only other scripts import, so that the browser loads them at once. */
function withPreloads(html: string, scripts: string[]) {
  const links = scripts
    .filter((path) => !html.includes(`"${path}"`))
    .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`);
  return html.replace("</head>", () => `${links.join("")}</head>`);
}

/**
 * Replaces the script elements of the page by a list of their URLs and of `pageScripts`, the application first.
 * `start.js` loads them after the first paint of the rendered page.
 */
function withDeferredScripts(html: string, pageScripts: string[]) {
  const mainScript = /<script type="module"[^>]*? src="([^"]+)"><\/script>\s*/;
  const preloads = /<link rel="modulepreload"[^>]*? href="([^"]+)">\s*/g;
  const scripts = new Set([
    mainScript.exec(html)?.[1] ?? "",
    ...[...html.matchAll(preloads)].map(([, path]) => path ?? ""),
    ...pageScripts,
  ]);
  return html
    .replace(mainScript, "")
    .replace(preloads, "")
    .replace("</head>", () => `${jsonElement(SCRIPTS_ELEMENT, JSON.stringify([...scripts]))}</head>`);
}
