import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Db } from "#server/core/database/db.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import { FETCH_PATH } from "#server/player/activities/launches.ts";
import { RETURN_PATH } from "#shared/player/activities.ts";

// What an AU asks on the content origin besides the record store

const fetchQuery = z.object({ launch: z.uuid(), key: z.string().min(20).max(100) });
/** Error codes of cmi5 8.2.3.2. */
const USED = { "error-code": "1", "error-text": "The authorization token was requested before." };
const UNKNOWN = { "error-code": "3", "error-text": "The launch is unknown, or has ended." };

const RETURNED = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Part ended</title></head><body></body></html>`;

export function activityContentRoutes(
  app: FastifyInstance,
  { db, config }: Pick<Services, "db" | "config">,
  limit: GuestLimit,
) {
  app.register(async (scoped) => {
    // The body is of no use, whatever its type is.
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser("*", (_, body, done) => {
      body.resume();
      done(null);
    });
    tokenRoute(scoped, db, limit);
  });

  /** Where an AU goes when it has ended: the shell notices it, and the player shows the next steps. */
  app.get(RETURN_PATH, { config: { pace: "file" } }, async (_, reply) =>
    reply
      .header("content-security-policy", "default-src 'none'; frame-ancestors 'self' " + config.publicUrl)
      .header("cache-control", "public, max-age=86400")
      .type("text/html; charset=utf-8")
      .send(RETURNED),
  );
}

/** The credentials of a launch for the record store, once (cmi5 8.2). */
function tokenRoute(app: FastifyInstance, db: Db, limit: GuestLimit) {
  app.post(FETCH_PATH, { config: { priority: "learning" }, bodyLimit: 1024 }, async (request, reply) => {
    await limit.countWrite(request);
    reply.headers({ "access-control-allow-origin": "*", "cache-control": "no-store" });
    const query = fetchQuery.safeParse(request.query);
    if (!query.success) return UNKNOWN;
    const { launch, key } = query.data;
    const password = newToken();
    const opened = await db
      .updateTable("activityLaunches")
      .set({ tokenHash: hashToken(password) })
      .where("id", "=", launch)
      .where("fetchHash", "=", hashToken(key))
      .where("tokenHash", "is", null)
      .where("terminatedAt", "is", null)
      .where("abandonedAt", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (opened) return { "auth-token": Buffer.from(`${launch}:${password}`).toString("base64") };
    const known = await db
      .selectFrom("activityLaunches")
      .where("id", "=", launch)
      .where("fetchHash", "=", hashToken(key))
      .select("id")
      .executeTakeFirst();
    return known ? USED : UNKNOWN;
  });
}
