import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import {
  QUERY_DATA_ELEMENT,
  type CreateRenderer,
  RENDERED_ATTRIBUTE,
  type RenderRequest,
  SCRIPTS_ELEMENT,
  type ApiFetch,
} from "#shared/rendering.ts";

type Entry = { file: string; css?: string[]; imports?: string[] };
type Manifest = Record<string, Entry>;
/** Puts the drawn page into the single page; gives that back as it is where there is nothing to draw. */
export type RenderInto = (index: string, drawing: RenderRequest, ip: string) => Promise<string>;

/** A page that takes longer comes without its content: the application draws it in the browser then. */
const PATIENCE_MS = 1500;

/**
 * Draws public pages on the server, with the same components as in the browser. What they ask for goes through the API of
 * this application as a guest with the visitor's address: a drawn page holds nothing that a stranger could not ask for, and
 * the limits of the API hold for it.
 */
export async function createServerRendering(app: FastifyInstance, dist: string): Promise<RenderInto> {
  const built = join(dist, "ssr/server.js");
  if (!existsSync(built)) return async (index) => index;
  const { createRenderer } = (await import(pathToFileURL(built).href)) as { createRenderer: CreateRenderer };
  const manifest = JSON.parse(readFileSync(join(dist, "web/chunks.json"), "utf8")) as Manifest;
  const visitors = new AsyncLocalStorage<string>();
  const draw = createRenderer(askOf(app, visitors));

  return async (index, drawing, ip) => {
    try {
      const drawn = await visitors.run(ip, () =>
        Promise.race([draw(drawing), sleep(PATIENCE_MS, null, { ref: false })]),
      );
      if (!drawn) return index;
      const lost = drawn.files.filter((file) => !manifest[file]);
      if (lost.length > 0) throw new Error(`The manifest of the built pages lacks ${lost.join(", ")}`);
      const answers = drawn.queryData
        ? `<script type="application/json" id="${QUERY_DATA_ELEMENT}">${drawn.queryData.replaceAll("<", "\\u003c")}</script>`
        : "";
      return later(withStyles(manifest, drawn.files, index), scriptsOf(manifest, drawn.files)).replace(
        '<div id="root"></div>',
        () => `<div id="root" ${RENDERED_ATTRIBUTE}>${drawn.html}</div>${answers}`,
      );
    } catch (error) {
      app.log.error({ err: error, url: drawing.url }, "a page was not drawn");
      return index;
    }
  };
}

/** The API as a page sees it that is drawn for a guest: no cookie, no token, reading only. */
const askOf =
  (app: FastifyInstance, visitors: AsyncLocalStorage<string>): ApiFetch =>
  async (path, { method = "GET" }) => {
    if (method !== "GET") return new Response(null, { status: 204 });
    const { statusCode, body } = await app.inject({
      url: path,
      headers: { accept: "application/json" },
      remoteAddress: visitors.getStore() ?? "127.0.0.1",
    });
    return new Response(statusCode === 204 ? null : body, {
      status: statusCode,
      headers: { "content-type": "application/json" },
    });
  };

/** Everything that the chunks of these source files need, the files that are imported first. */
function entriesOf(manifest: Manifest, keys: string[], seen = new Set<string>()): Entry[] {
  return keys.flatMap((key) => {
    const entry = manifest[key];
    if (!entry || seen.has(key)) return [];
    seen.add(key);
    return [...entriesOf(manifest, entry.imports ?? [], seen), entry];
  });
}
const scriptsOf = (manifest: Manifest, files: string[]) => entriesOf(manifest, files).map(({ file }) => `/${file}`);

/** The typeface of the house, as the manifest knows it: named in the styles, so the browser would find it only after them. */
const FONT = /hanken-grotesk-latin-wght-normal\.woff2$/;

/** The styles of a page must be there before its first paint, and its typeface soon after. */
function withStyles(manifest: Manifest, files: string[], index: string) {
  const styles = new Set(entriesOf(manifest, files).flatMap(({ css = [] }) => css.map((path) => `/${path}`)));
  const links = [...styles]
    .filter((path) => !index.includes(`"${path}"`))
    .map((path) => `<link rel="stylesheet" crossorigin href="${path}">`);
  const font = Object.entries(manifest).find(([key]) => FONT.test(key))?.[1].file;
  if (font) links.push(`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`);
  return index.replace("</head>", () => `${links.join("")}</head>`);
}

/** Takes the scripts out of the page and lists them, with those of its chunks, for start.js: a drawn page is painted before they come. */
function later(index: string, more: string[]) {
  const [main, preloads] = [
    /<script type="module"[^>]*? src="([^"]+)"><\/script>\s*/,
    /<link rel="modulepreload"[^>]*? href="([^"]+)">\s*/g,
  ];
  const scripts = new Set([
    main.exec(index)?.[1] ?? "",
    ...[...index.matchAll(preloads)].map(([, path]) => path ?? ""),
    ...more,
  ]);
  return index
    .replace(main, "")
    .replace(preloads, "")
    .replace(
      "</head>",
      () => `<script type="application/json" id="${SCRIPTS_ELEMENT}">${JSON.stringify([...scripts])}</script></head>`,
    );
}
