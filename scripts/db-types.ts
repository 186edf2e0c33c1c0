import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSchema } from "./_schema.ts";
import { createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";

/**
 * Generates server/core/database/db.types.ts and docs/schema.sql from a migrated empty database. With `--check` it
 * compares instead, and fails if a file is outdated.
 */
const folderOfTypes = join(import.meta.dirname, "../server/core/database");
const target = join(folderOfTypes, "db.types.ts");
const schemaFile = join(import.meta.dirname, "../docs/schema.sql");
/** The keys of `ColumnTypes`, such as `events.venue`. */
const typedColumns = [...readFileSync(join(folderOfTypes, "columnTypes.ts"), "utf8").matchAll(/^ {2}"(.+)":/gm)].map(
  ([, column]) => column as string,
);
const folder = mkdtempSync(join(tmpdir(), "lyceum-types-"));
const log = createLog("error");
const postgres = await startPostgres(folder, log);
try {
  const pool = createPool(postgres.connection, log);
  await migrate(pool);
  const { rows: columns } = await pool.query<Column>(`
    select
      tables.relname || '.' || columns.attname as name,
      columns.atttypid in ('json'::regtype, 'jsonb'::regtype) as "isJson",
      not columns.attnotnull as nullable,
      columns.atthasdef as "hasDefault",
      pg_get_constraintdef(checks.oid) as rule
    from pg_attribute columns
    join pg_class tables on tables.oid = columns.attrelid
    left join pg_constraint checks
      on checks.conrelid = tables.oid
      and checks.contype = 'c'
      and checks.conkey = array[columns.attnum]
    where tables.relnamespace = 'public'::regnamespace
      and tables.relkind = 'r'
      and columns.attnum > 0
      and not columns.attisdropped`);
  const schema = await readSchema(pool);
  await pool.end();
  const overrides = Object.fromEntries(
    columns.flatMap((column) => {
      const type = typeOf(column);
      return type ? [[column.name, type]] : [];
    }),
  );
  const unknown = typedColumns.filter((name) => !columns.some((column) => column.name === name));
  if (unknown.length > 0) throw new Error(`columnTypes.ts names columns that do not exist: ${unknown.join(", ")}`);
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
      JSON.stringify({ columns: overrides }),
    ],
    { encoding: "utf8" },
  );
  if (result.status !== 0) throw new Error(result.stderr || result.stdout);
  // Not `--custom-imports`, which needs the compiler API that TypeScript 7 does not have.
  const columnTypesImport = 'import type { ColumnTypes } from "#server/core/database/columnTypes.ts";\n';
  const types = readFileSync(outFile, "utf8")
    .replace(/^import .*\n/m, `${columnTypesImport}$&`)
    .replace(/^.{121,}$/gm, (line) => line.replaceAll(" | ", "\n    | "));
  for (const [path, text] of [
    [target, types],
    [schemaFile, schema],
  ] as const) {
    if (!process.argv.includes("--check")) writeFileSync(path, text);
    else if (!existsSync(path) || text !== readFileSync(path, "utf8"))
      throw new Error(`${path} is outdated: run npm run db:types`);
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Column = { name: string; isJson: boolean; nullable: boolean; hasDefault: boolean; rule: string | null };

/** The type of a column of `ColumnTypes`, or with a constraint `check (column in (…))`; undefined for all others. */
function typeOf({ name, isJson, nullable, hasDefault, rule }: Column) {
  const typed = typedColumns.includes(name) && `ColumnTypes["${name}"]`;
  if (isJson && !typed) throw new Error(`columnTypes.ts has no type for the JSON column ${name}`);
  const plain = isJson ? `ColumnType<${typed}, string, string>` : typed || unionOf(rule ?? "");
  if (!plain) return undefined;
  const type = nullable ? `${plain} | null` : plain;
  return hasDefault ? `Generated<${type}>` : type;
}

function unionOf(rule: string) {
  const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)(?: NOT VALID)?$/.exec(rule) ?? [];
  return list && [...list.matchAll(/'([^']+)'::text/g)].map(([, value]) => `'${value}'`).join(" | ");
}
