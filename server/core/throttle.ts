import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";

/** Keys hold no personal data: the parts are hashed. */
const keyOf = (parts: string[]) => createHash("sha256").update(parts.join("\n")).digest("base64url");

/**
 * Reserves one try before it is made, so that parallel tries cannot slip through between a check and a count. False when
 * the `limit` of the window is used up; the window starts with the first try and lasts `seconds`. `subject` names whose
 * lock it is, for `releaseAll`.
 */
export async function reserve(
  db: Db,
  parts: string[],
  limit: number,
  seconds: number,
  subject?: string,
): Promise<boolean> {
  const { rows } = await sql<{ tries: number }>`
    insert into throttles as t (key, tries, until, subject)
    values (${keyOf(parts)}, 1, now() + make_interval(secs => ${seconds}), ${subject === undefined ? null : keyOf([subject])})
    on conflict (key) do update set
      tries = case when t.until < now() then 1 else t.tries + 1 end,
      until = case when t.until < now() then excluded.until else t.until end
    returning tries`.execute(db);
  return (rows[0]?.tries ?? 0) <= limit;
}

/** Gives a try back: it was no guess. */
export const giveBack = (db: Db, parts: string[]) =>
  db
    .updateTable("throttles")
    .set((e) => ({ tries: e("tries", "-", 1) }))
    .where("key", "=", keyOf(parts))
    .where("tries", ">", 0)
    .execute();

/** Removes windows that are over. */
export const sweepThrottles = (db: Db) =>
  db
    .deleteFrom("throttles")
    .where("until", "<", sql<string>`now()`)
    .execute();

/** Forgets the tries of a key, after a success. */
export const release = (db: Db, parts: string[]) =>
  db.deleteFrom("throttles").where("key", "=", keyOf(parts)).execute();

/** Lifts every lock of a subject, whatever network it came from. */
export const releaseAll = (db: Db, subject: string) =>
  db
    .deleteFrom("throttles")
    .where("subject", "=", keyOf([subject]))
    .execute();
