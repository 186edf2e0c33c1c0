import type { FastifyInstance } from "fastify";
import { prepareBytes, sendPrepared } from "#server/core/http/preparedBytes.ts";
import type { Services } from "#server/core/services.ts";
import { readSettings } from "#server/settings/service.ts";

const headers = { "content-type": "application/manifest+json", "cache-control": "no-cache" };
/** The ground of the pages (web/core/brand/theme.ts): the bar of the system continues the one of the page. */
const GROUND = "#F1F4F3";
const icon = (name: string, size: number, purpose: "any" | "maskable") => ({
  src: `/${name}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

/** The web app manifest: with it, phones offer to install the academy, which then opens with Today. */
export function manifestRoute(app: FastifyInstance, { db }: Services) {
  app.get("/manifest.webmanifest", { config: { pace: "file" } }, async (request, reply) => {
    const { academyName, tagline, headline } = await readSettings(db);
    const description = tagline || headline;
    const manifest = {
      id: "/",
      name: academyName,
      short_name: academyName,
      ...(description && { description }),
      lang: "en",
      start_url: "/today",
      scope: "/",
      display: "standalone",
      background_color: GROUND,
      theme_color: GROUND,
      icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "any"), icon("icon-maskable", 512, "maskable")],
    };
    return sendPrepared(request, reply, await prepareBytes(JSON.stringify(manifest), headers));
  });
}
