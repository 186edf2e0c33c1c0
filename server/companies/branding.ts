import { selectCompanies, updateVersioned } from "#server/companies/companyRows.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, notFound } from "#server/core/http/problem.ts";
import { bytesOf, imageTypeOf } from "#server/settings/images.ts";
import { LOGO_BYTES, type companies } from "#shared/companies/companies.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Stores a logo. The type is detected from the bytes, not taken from the browser; SVG is not accepted. */
export async function setLogo(ctx: Ctx<User>, id: string, { dataUrl, version }: BodyOf<typeof companies.setLogo>) {
  const bytes = bytesOf(dataUrl);
  const type = imageTypeOf(bytes);
  if (!type || bytes.length > LOGO_BYTES) throw badField("logo", "companies.badLogo", { kb: LOGO_BYTES / 1024 });
  return updateVersioned(ctx, id, version, { logo: bytes, logoType: type }, "companies.logo", { removed: false });
}

export const removeLogo = (ctx: Ctx<User>, id: string, version: number) =>
  updateVersioned(ctx, id, version, { logo: null, logoType: null }, "companies.logo", { removed: true });

/** The logo's bytes and type. Logos are public: they appear on registration pages and in emails. */
export const readLogo = async (db: Db, id: string) => {
  const row = await db.selectFrom("companies").where("id", "=", id).select(["logo", "logoType"]).executeTakeFirst();
  if (!row?.logo || !row.logoType) throw notFound();
  return { bytes: row.logo, type: row.logoType };
};

/** The branding of the pages of a signed-in person; null for admins, who see the academy's colours. */
export async function getOwnBrand({ db, user }: Ctx<User>) {
  if (!user.companyId) return null;
  const company = await selectCompanies(db)
    .where("companies.id", "=", user.companyId)
    .executeTakeFirstOrThrow(notFound);
  return { name: company.name, color: company.color, logo: company.logo };
}
