import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";

/** Success is reported for this long before it is checked again, so that a failure shows within this time. Failures are not kept. */
const HEALTHY_MS = 2000;

type Health = Awaited<ReturnType<typeof checkHealth>>;

/** `/api/health`: 200 if database, jobs and storage work, otherwise 503 with the state of each; and the time of the last backup. Contains no personal data. */
export function healthRoute(app: FastifyInstance, services: Services) {
  let healthy: { report: Health; until: number } | null = null;
  let running: Promise<Health> | null = null;
  const check = async () => {
    const startedAt = performance.now();
    const report = await checkHealth(services);
    healthy = report.status === "ok" ? { report, until: startedAt + HEALTHY_MS } : null;
    return report;
  };
  // A broken connection is a reason to look again.
  services.pool.on("error", () => {
    healthy = null;
  });
  app.get("/api/health", async (_, reply) => {
    if (healthy && performance.now() >= healthy.until) healthy = null;
    running ??= healthy ? null : check().finally(() => (running = null));
    const report = healthy?.report ?? (await (running as Promise<Health>));
    return reply.code(report.status === "ok" ? 200 : 503).send(report);
  });
}

async function checkHealth({ db, storage }: Services) {
  const stateOf = (check: Promise<unknown>) =>
    check.then(
      () => "ok" as const,
      () => "failing" as const,
    );
  const [database, jobs, stored, lastBackup] = await Promise.all([
    stateOf(sql`select 1`.execute(db)),
    stateOf(sql`select 1 from graphile_worker.jobs limit 1`.execute(db)),
    stateOf(storage.check()),
    readLastBackup(db).catch(() => null),
  ]);
  const ok = [database, jobs, stored].every((state) => state === "ok");
  return { status: ok ? "ok" : "failing", process: "ok", database, jobs, storage: stored, lastBackup };
}

/** When the last backup was finished; null if there is none. */
export const readLastBackup = async (db: Db) =>
  (
    await db
      .selectFrom("backups")
      .select((e) => e.fn.max("finishedAt").as("finishedAt"))
      .executeTakeFirst()
  )?.finishedAt ?? null;
