import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPool } from "#server/core/db.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/migrate.ts";
import { startPostgres } from "#server/core/postgres.ts";

/** Generates server/core/db.types.ts from a migrated empty database. With `--check` it compares instead, and fails if the file is outdated. */
const target = join(import.meta.dirname, "../server/core/db.types.ts");
const folder = mkdtempSync(join(tmpdir(), "lyceum-types-"));
const log = createLog("error");
const postgres = await startPostgres(folder, log);
try {
  const pool = createPool(postgres.connection, log);
  await migrate(pool);
  const checks = await pool.query<{ table: string; rule: string; nullable: boolean; has_default: boolean }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(c.oid) as rule, not attnotnull as nullable, atthasdef as has_default
    from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and connamespace = 'public'::regnamespace and cardinality(conkey) = 1`);
  await pool.end();
  /** Union types for columns with a constraint `check (column in (…))`. */
  const columns = Object.fromEntries(
    checks.rows.flatMap(({ table, rule, nullable, has_default: hasDefault }) => {
      const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(rule) ?? [];
      if (!column || !list) return [];
      const union = [...list.matchAll(/'([^']+)'::text/g)].map(([, value]) => `'${value}'`).join(" | ");
      const type = nullable ? `${union} | null` : union;
      return [[`${table}.${column}`, hasDefault ? `Generated<${type}>` : type]];
    }),
  );
  const { host, port, user, password } = postgres.connection;
  const outFile = join(folder, "types.ts");
  const result = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, "../node_modules/kysely-codegen/dist/cli/bin.js"),
      "--dialect",
      "postgres",
      "--camel-case",
      "--url",
      `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/postgres`,
      "--out-file",
      outFile,
      "--exclude-pattern",
      "(migrations|graphile_worker.*)",
      "--date-parser",
      "string",
      "--type-mapping",
      JSON.stringify({
        timestamptz: "ColumnType<string, Date | string, Date | string>",
        int8: "ColumnType<number, number, number>",
      }),
      "--overrides",
      JSON.stringify({ columns }),
    ],
    { encoding: "utf8" },
  );
  if (result.status !== 0) throw new Error(result.stderr || result.stdout);
  const types = readFileSync(outFile, "utf8");
  if (process.argv.includes("--check")) {
    if (types !== readFileSync(target, "utf8"))
      throw new Error("server/core/db.types.ts is stale: run npm run db:types");
  } else writeFileSync(target, types);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
