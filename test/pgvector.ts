import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm as trigrams } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { readConfig } from "#server/core/config.ts";
import { createDb, createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { createServices } from "#server/core/services.ts";

/**
 * Services on an empty PostgreSQL that offers the extension `vector`, which the embedded one does not: PGlite,
 * PostgreSQL as WebAssembly. All its connections share one session, and with it the names of statements, so each pool
 * has one connection, and locks have another pool than statements. `logged` is called with every line of the log.
 */
export async function startWithPgvector(logged: (line: string) => void) {
  const dataDir = mkdtempSync(join(tmpdir(), "lyceum-pgvector-"));
  const lite = await PGlite.create({ extensions: { vector, pg_trgm: trigrams } });
  const server = new PGLiteSocketServer({ db: lite, port: 0, maxConnections: 4 });
  await server.start();
  const [host = "", port] = server.getServerConn().split(":");
  const connection = { host, port: Number(port), user: "postgres", password: "none", database: "postgres" };
  const log = createLog("warn", { write: logged });
  const config = readConfig({
    PUBLIC_URL: "http://localhost:1",
    CONTENT_ORIGIN: "http://127.0.0.1:2",
    DATA_DIR: dataDir,
    PRIVATE_HOSTS: "127.0.0.1",
  });
  const locks = createPool(connection, log, { max: 1 });
  const statements = createPool(connection, log, { max: 1 });
  await migrate(statements);
  const services = { ...createServices(config, log, connection), pool: locks, db: createDb(statements) };
  const stop = async () => {
    await Promise.all([locks.end(), statements.end()]);
    await server.stop();
    await lite.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { services, stop };
}
