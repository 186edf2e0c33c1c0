import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";

/** The parts are hashed, so that keys contain no personal data. */
const keyOf = (parts: string[]) => createHash("sha256").update(parts.join("\n")).digest("base64url");

/**
 * Reserves one attempt before it is made, so that parallel attempts cannot exceed the limit. False if the `limit` of
 * the window is reached; the window starts with the first attempt and lasts `seconds`. `subject`: whose attempts these
 * are, for `releaseAll`.
 */
export async function reserve(
  db: Db,
  parts: string[],
  limit: number,
  seconds: number,
  subject?: string,
): Promise<boolean> {
  const subjectKey = subject === undefined ? null : keyOf([subject]);
  const { rows } = await sql<{ tries: number }>`
    insert into throttles as throttle (key, tries, until, subject)
    values (${keyOf(parts)}, 1, now() + make_interval(secs => ${seconds}), ${subjectKey})
    on conflict (key) do update set
      tries = case when throttle.until < now() then 1 else throttle.tries + 1 end,
      until = case when throttle.until < now() then excluded.until else throttle.until end
    returning tries`.execute(db);
  return (rows[0]?.tries ?? 0) <= limit;
}

/** One limit for `reserveAll`: the parts of its key, attempts, and seconds of its window. */
export type Limit = readonly [parts: string[], limit: number, seconds: number];

/** Reserves one attempt of each limit, in this order, or of none if one of them is reached. */
export async function reserveAll(db: Db, limits: Limit[]): Promise<boolean> {
  for (const [at, limit] of limits.entries()) {
    if (await reserve(db, ...limit)) continue;
    for (const [parts] of limits.slice(0, at + 1)) await giveBack(db, parts);
    return false;
  }
  return true;
}

/** Returns a reserved attempt that was not a guess. */
export const giveBack = (db: Db, parts: string[]) =>
  db
    .updateTable("throttles")
    .set((e) => ({ tries: e("tries", "-", 1) }))
    .where("key", "=", keyOf(parts))
    .where("tries", ">", 0)
    .execute();

/** Deletes expired windows. */
export const sweepThrottles = (db: Db) =>
  db
    .deleteFrom("throttles")
    .where("until", "<", sql<string>`now()`)
    .execute();

/** Clears the attempts of these keys, after a success, and returns one attempt of `returned`, in one statement. */
export const release = (db: Db, keys: string[][], returned: string[] = []) =>
  sql`
    with given_back as (
      update throttles
      set tries = tries - 1
      where key = ${keyOf(returned)}
        and tries > 0
    )
    delete from throttles
    where key = any(${keys.map(keyOf)}::text[])`.execute(db);

/** Clears all attempts of a subject, from every network. */
export const releaseAll = (db: Db, subject: string) =>
  db
    .deleteFrom("throttles")
    .where("subject", "=", keyOf([subject]))
    .execute();
