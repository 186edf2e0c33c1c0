import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createPool } from "#server/core/database/db.ts";
import { prepareJobs } from "#server/core/jobs.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { type Embedded, startPostgres } from "#server/core/postgres/postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: Embedded["connection"];
  }
}

/** One PostgreSQL for the whole run, with a migrated template that every test file copies. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-test-"));
  const log = createLog("error");
  const server = await startPostgres(folder, log);
  const admin = createPool(server.connection, log, { max: 1 });
  // The machine does not lose its power during the tests.
  for (const setting of ["fsync", "full_page_writes"]) await admin.query(`alter system set ${setting} = off`);
  await admin.query("select pg_reload_conf()");
  await admin.query("create database template_lyceum");
  const template = createPool({ ...server.connection, database: "template_lyceum" }, log, { max: 1 });
  await migrate(template);
  await prepareJobs({ pool: template });
  await template.end();
  await admin.end();
  project.provide("postgres", { ...server.connection });
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
