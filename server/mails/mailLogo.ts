import type { Db } from "#server/core/database/db.ts";
import { escapeHtml } from "#server/core/rendering/html.ts";

// The logo of the academy in emails. It is attached when an email is sent, so that the outbox does not store it

const CID = "academy-logo";
/** The only types that mail clients show reliably. */
const TYPES = ["image/png", "image/jpeg"];
const MAX_WIDTH = 220;
const MAX_HEIGHT = 48;

export type MailLogo = { width: number; height: number } | null;

/** The size of the logo; null if there is none that emails can show. */
export async function readMailLogo(db: Db): Promise<MailLogo> {
  const { logoType, logoWidth, logoHeight } = await db
    .selectFrom("settings")
    .select(["logoType", "logoWidth", "logoHeight"])
    .executeTakeFirstOrThrow();
  if (!logoType || !logoWidth || !logoHeight || !TYPES.includes(logoType)) return null;
  return { width: logoWidth, height: logoHeight };
}

/** The logo at the top of an email. Mail clients that block images show the name instead. */
export function logoImage({ width, height }: NonNullable<MailLogo>, name: string) {
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height, 1);
  const size = `width="${Math.max(1, Math.round(width * scale))}" height="${Math.max(1, Math.round(height * scale))}"`;
  return `<img src="cid:${CID}" alt="${escapeHtml(name)}" ${size} style="display:block">`;
}

const IMAGE = new RegExp(`<img src="cid:${CID}" alt="([^"]*)"[^>]*>`, "g");

/** HTML and attachments of an email with the current logo, or with the name if the logo was removed. */
export async function withLogo(db: Db, html: string) {
  if (!html.includes(`cid:${CID}`)) return { html, attachments: [] };
  const row = await db.selectFrom("settings").select(["logo", "logoType"]).executeTakeFirst();
  if (!row?.logo || !row.logoType || !TYPES.includes(row.logoType))
    return { html: html.replaceAll(IMAGE, "$1"), attachments: [] };
  const filename = row.logoType === "image/png" ? "logo.png" : "logo.jpg";
  return { html, attachments: [{ filename, contentType: row.logoType, content: row.logo, cid: CID }] };
}
