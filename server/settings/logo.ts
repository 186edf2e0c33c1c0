import type { FastifyInstance } from "fastify";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, notFound } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { imageSize } from "#server/settings/imageSize.ts";
import { bytesOf, imageTypeOf } from "#server/settings/images.ts";
import { changeSettings } from "#server/settings/service.ts";
import { sanitizeSvg } from "#server/settings/svg.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { LOGO_BYTES } from "#shared/companies/companies.ts";
import { type academies, LOGO_PATH, LOGO_PIXELS } from "#shared/settings/settings.ts";
import type { User } from "#shared/core/users.ts";

const SVG = "image/svg+xml";

/** Stores the logo of the academy. Its type is detected from the bytes; an SVG is sanitized. */
export async function setAcademyLogo(ctx: Ctx<User>, { dataUrl, version }: BodyOf<typeof academies.setLogo>) {
  const image = readLogo(bytesOf(dataUrl));
  return changeSettings(ctx, version, image, { action: "settings.logo", details: { removed: false } });
}

function readLogo(bytes: Buffer) {
  if (bytes.length === 0 || bytes.length > LOGO_BYTES) throw badLogo();
  const type = imageTypeOf(bytes);
  if (!type) {
    if (!/^\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(bytes.toString("utf8", 0, 300).replace(/^\uFEFF/, "")))
      throw badLogo();
    const picture = sanitizeSvg(bytes.toString("utf8"));
    if (!picture) throw badField("logo", "settings.badSvg");
    return { logo: Buffer.from(picture.svg), logoType: SVG, logoWidth: picture.width, logoHeight: picture.height };
  }
  const size = imageSize(bytes, type);
  if (!size || Math.max(size.width, size.height) > LOGO_PIXELS) throw badLogo();
  return { logo: bytes, logoType: type, logoWidth: size.width, logoHeight: size.height };
}
const badLogo = () => badField("logo", "settings.badLogo", { kb: LOGO_BYTES / 1024, pixels: LOGO_PIXELS });

export const removeAcademyLogo = (ctx: Ctx<User>, version: number) =>
  changeSettings(
    ctx,
    version,
    { logo: null, logoType: null, logoWidth: null, logoHeight: null },
    { action: "settings.logo", details: { removed: true } },
  );

const findLogo = (db: Db) => db.selectFrom("settings").select(["logo", "logoType"]).executeTakeFirst();

/** Serves the logo to everyone. The URL contains the version of the settings, so it can be cached for a year. */
export function academyLogoRoute(app: FastifyInstance, { db }: Services) {
  app.get(LOGO_PATH, { config: { pace: "file" } }, async (_, reply) => {
    const row = await findLogo(db);
    if (!row?.logo || !row.logoType) throw notFound();
    return reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .type(row.logoType)
      .send(row.logo);
  });
}
