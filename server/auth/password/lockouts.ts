import { sql } from "kysely";
import { z } from "zod";
import { recordAccountAction } from "#server/audit/service.ts";
import type { Db } from "#server/core/db.ts";
import { job } from "#server/core/jobs.ts";
import { reserve } from "#server/core/throttle.ts";

/**
 * Somebody has used up the guesses of an email. Whether it belongs to anybody is looked up later, by a job, so that the answer takes
 * the same time for every address. Once a lock, however often somebody knocks.
 */
export async function enqueueLockout(db: Db, lock: string[], seconds: number, email: string) {
  if (await reserve(db, [...lock, "told"], 1, seconds, email)) await recordLockout.enqueue(db, { email });
}

export const recordLockout = job("auth:locked", z.object({ email: z.string() }), async ({ db }, { email }) => {
  const person = await db
    .selectFrom("users")
    .where(sql`lower(email)`, "=", email)
    .select("id")
    .executeTakeFirst();
  if (person) await recordAccountAction(db, person.id, "account.locked", {}, "nobody");
});
