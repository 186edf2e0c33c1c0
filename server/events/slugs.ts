import slugify from "@sindresorhus/slugify";
import type { Tx } from "#server/core/database/db.ts";

/** Paths below `/events` that are pages of the application. */
const RESERVED = new Set(["registration", "create", "new"]);

/**
 * A slug from a title: `Größe & Öl` becomes `groesse-oel`; other alphabets are transliterated. `event` if nothing is
 * left.
 */
export const slugOf = (title: string) =>
  slugify(title, { decamelize: false, customReplacements: [["&", " "]] })
    .slice(0, 80)
    .replace(/-$/, "") || "event";

/**
 * Assigns a slug to an event permanently. False if it is reserved or belongs to another event, even to a deleted one.
 */
export async function claimSlug(tx: Tx, eventId: string, slug: string): Promise<boolean> {
  if (RESERVED.has(slug)) return false;
  await tx
    .insertInto("eventSlugs")
    .values({ slug, eventId })
    .onConflict((clash) => clash.doNothing())
    .execute();
  return (
    (await tx
      .selectFrom("eventSlugs")
      .where("slug", "=", slug)
      .where("eventId", "=", eventId)
      .select("slug")
      .executeTakeFirst()) !== undefined
  );
}
