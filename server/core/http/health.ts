import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { type Db, isDiskFull } from "#server/core/database/db.ts";
import { listMigrations } from "#server/core/database/migrations.ts";
import type { Services } from "#server/core/services.ts";
import { isNearlyFull } from "#server/core/storage/freeSpace.ts";
import { StorageDown } from "#server/core/storage/storage.ts";

/** A report without failures is reused for this long, in ms; one with failures is not reused. */
const HEALTHY_MS = 2000;

type Health = Awaited<ReturnType<typeof checkHealth>>;
type State = "ok" | "failing" | "full" | "refused" | "unreachable";

/**
 * `/api/health/live`, the liveness probe: 200 while the process answers. `/api/health`, the readiness probe: 200 if
 * database, migrations, jobs and storage work, otherwise 503; with the state of each, and the time of the last backup.
 * Neither contains personal data.
 */
export function healthRoute(app: FastifyInstance, services: Services) {
  let healthy: { report: Health; until: number } | null = null;
  let running: Promise<Health> | null = null;
  const check = async () => {
    const startedAt = performance.now();
    const report = await checkHealth(services);
    healthy = report.status === "ok" ? { report, until: startedAt + HEALTHY_MS } : null;
    return report;
  };
  // After a broken connection the last report is no longer true.
  services.pool.on("error", () => {
    healthy = null;
  });
  app.get("/api/health/live", { config: { priority: "light" } }, (_, reply) =>
    reply.header("cache-control", "no-store").send({ status: "ok" }),
  );
  app.get("/api/health", { config: { priority: "light" } }, async (_, reply) => {
    if (healthy && performance.now() >= healthy.until) healthy = null;
    running ??= healthy ? null : check().finally(() => (running = null));
    const report = healthy?.report ?? (await (running as Promise<Health>));
    return reply
      .code(report.status === "ok" ? 200 : 503)
      .header("cache-control", "no-store")
      .send(report);
  });
}

async function checkHealth({ db, storage, config }: Services) {
  const stateOf = (check: Promise<unknown>): Promise<State> =>
    check.then(
      () => "ok",
      (error: unknown) => {
        if (error instanceof StorageDown) return error.reason;
        return isDiskFull(error) ? "full" : "failing";
      },
    );
  const [database, migrations, jobs, stored, lastBackup] = await Promise.all([
    stateOf(checkWritable(db, config)),
    stateOf(checkMigrations(db)),
    stateOf(sql`select 1 from graphile_worker.jobs limit 1`.execute(db)),
    stateOf(storage.check()),
    readLastBackup(db).catch(() => null),
  ]);
  const ok = [database, migrations, jobs, stored].every((state) => state === "ok");
  return { status: ok ? "ok" : "failing", process: "ok", database, migrations, jobs, storage: stored, lastBackup };
}

/**
 * Rejects if the database does not answer or cannot store anything. A sort that does not fit into memory is written to
 * the disk of the database and leaves nothing behind: a statement that only reads would succeed on a full disk.
 */
async function checkWritable(db: Db, { databaseUrl, dataDir }: Services["config"]) {
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx);
    await sql`
      select count(*)
      from (
        select repeat('x', 500) || number as text
        from generate_series(1, 1000) number
        order by 1
        offset 0
      ) sorted`.execute(tx);
  });
  if (!databaseUrl && (await isNearlyFull(dataDir))) throw new StorageDown("full", "the disk of DATA_DIR is full");
}

async function checkMigrations(db: Db) {
  const names = await listMigrations();
  const { rows } = await sql<{ missing: number }>`
    select count(*)::int as missing
    from unnest(${names}::text[]) name
    where name not in (select name from migrations)`.execute(db);
  if (rows[0]?.missing) throw new Error(`${rows[0].missing} migrations are missing`);
}

/** When the last backup was finished; null if there is none. */
export const readLastBackup = async (db: Db) =>
  (
    await db
      .selectFrom("backups")
      .select((e) => e.fn.max("finishedAt").as("finishedAt"))
      .executeTakeFirst()
  )?.finishedAt ?? null;
