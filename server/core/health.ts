import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import type { Services } from "#server/core/services.ts";

/** `/api/health`: 200 if database, jobs and storage work, otherwise 503 with the state of each; and the time of the last backup. Contains no personal data. */
export function healthRoute(app: FastifyInstance, { db, storage }: Services) {
  const checks: Record<string, () => Promise<unknown>> = {
    database: () => sql`select 1`.execute(db),
    jobs: () => sql`select 1 from graphile_worker.jobs limit 1`.execute(db),
    storage: () => storage.check(),
  };
  app.get("/api/health", async (_, reply) => {
    const states = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) =>
          [
            name,
            await check().then(
              () => "ok",
              () => "failing",
            ),
          ] as const,
      ),
    );
    const ok = states.every(([, state]) => state === "ok");
    return reply.code(ok ? 200 : 503).send({
      status: ok ? "ok" : "failing",
      process: "ok",
      ...Object.fromEntries(states),
      lastBackup: await readLastBackup(db).catch(() => null),
    });
  });
}

/** When the last backup was finished; null if there is none. */
export const readLastBackup = async (db: Db) =>
  (
    await db
      .selectFrom("backups")
      .select((e) => e.fn.max("finishedAt").as("finishedAt"))
      .executeTakeFirst()
  )?.finishedAt ?? null;
