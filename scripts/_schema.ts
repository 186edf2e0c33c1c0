import { readdirSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { Table } from "#server/core/domains/tables.ts";
import * as domains from "#server/domains.ts";

/**
 * The schema of a migrated database as SQL, by domain, from the catalogue of PostgreSQL: tables with their columns,
 * constraints, indexes and triggers, then views and functions. For readers; migrations make the schema.
 */
export async function readSchema(pool: pg.Pool): Promise<string> {
  const parts = await readParts(pool);
  const ofTable = (table: string, kind: Part["kind"]) =>
    parts.filter((part) => part.table === table && part.kind === kind).map(({ definition }) => definition);
  const writeTable = (table: string, facts: Table) => {
    const lines = [...ofTable(table, "column"), ...ofTable(table, "constraint")].map((line) => `  ${line}`);
    return [
      `-- ${facts.growth.rows} rows a year per ${facts.growth.per}; kept ${facts.kept}`,
      `create table ${table} (\n${lines.join(",\n")}\n);`,
      ...ofTable(table, "index").map((index) => `${index};`),
      ...ofTable(table, "trigger").map((trigger) => `${trigger};`),
    ].join("\n");
  };
  const declared = Object.values(domains).flatMap(({ tables = {} }) => Object.keys(tables));
  const homeless = parts.filter(({ table }) => table !== "" && table !== "migrations" && !declared.includes(table));
  if (homeless.length > 0)
    throw new Error(
      `No domain.ts declares these tables: ${[...new Set(homeless.map(({ table }) => table))].join(", ")}`,
    );
  const chapters = Object.values(domains).flatMap(({ name, tables = {} }) => {
    const entries = Object.entries<Table>(tables).toSorted(([a], [b]) => a.localeCompare(b));
    return entries.length > 0
      ? [`-- ${name}\n\n${entries.map(([table, facts]) => writeTable(table, facts)).join("\n\n")}`]
      : [];
  });
  const others = parts.filter(({ kind }) => kind === "view" || kind === "function").map(({ definition }) => definition);
  return `${[HEAD, ...chapters, "-- Views and functions", ...others].join("\n\n")}\n`;
}

const HEAD = [
  "-- The schema of the database, for reading: made from the migrations by `npm run db:types`, checked by",
  "-- `npm run check`. The domain.ts of a domain says how many rows its tables get, and how long rows are kept.",
  `-- The numbers that the migrations skip (${listGaps().join(", ")}) were reserved for parallel work that needed none.`,
].join("\n");

type Part = {
  table: string;
  kind: "column" | "constraint" | "index" | "trigger" | "view" | "function";
  definition: string;
};

async function readParts(pool: pg.Pool): Promise<Part[]> {
  const { rows } = await pool.query<Part>(`
    with tables as (
      select oid, relname::text as name
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
    ),
    columns as (
      select
        t.name as table,
        'column' as kind,
        c.attnum as position,
        concat_ws(
          ' ',
          quote_ident(c.attname),
          format_type(c.atttypid, c.atttypmod),
          case
            when c.attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
            when c.attidentity <> '' then 'generated always as identity'
            when d.adbin is not null then format('default %s', pg_get_expr(d.adbin, d.adrelid))
          end,
          case when c.attnotnull then 'not null' end
        ) as definition
      from tables t
      join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      left join pg_attrdef d on d.adrelid = c.attrelid and d.adnum = c.attnum
    ),
    constraints as (
      select
        t.name,
        'constraint',
        row_number() over (order by position(k.contype in 'pufcx'), k.conname),
        format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid, true))
      from tables t
      join pg_constraint k on k.conrelid = t.oid and k.contype <> 'n'
    ),
    indexes as (
      select t.name, 'index', row_number() over (order by i.indexname), i.indexdef
      from tables t
      join pg_indexes i on i.schemaname = 'public' and i.tablename = t.name
      where not exists (select from pg_constraint k where k.conindid = format('%I', i.indexname)::regclass)
    ),
    triggers as (
      select t.name, 'trigger', row_number() over (order by g.tgname), pg_get_triggerdef(g.oid, true)
      from tables t
      join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    ),
    views as (
      select '', 'view', row_number() over (order by viewname), format(E'create view %I as\\n%s', viewname, definition)
      from pg_views
      where schemaname = 'public'
    ),
    functions as (
      select '', 'function', row_number() over (order by proname), pg_get_functiondef(p.oid) || ';'
      from pg_proc p
      where pronamespace = 'public'::regnamespace
        and prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    ),
    parts as (
      select * from columns
      union all
      select * from constraints
      union all
      select * from indexes
      union all
      select * from triggers
      union all
      select * from views
      union all
      select * from functions
    )
    select "table", kind, definition
    from parts
    order by "table", kind, position`);
  return rows.map(({ definition, ...part }) => ({ ...part, definition: shorten(definition.trimEnd()) }));
}

/** Leaves out what PostgreSQL adds and every reader knows. */
const shorten = (definition: string) =>
  definition
    .replaceAll("timestamp with time zone", "timestamptz")
    .replaceAll(" public.", " ")
    .replaceAll(" USING btree", "");

/** The numbers between the first and the last migration that no file has. */
function listGaps() {
  const numbers = readdirSync(join(import.meta.dirname, "../migrations")).map((name) => Number(name.slice(0, 4)));
  const all = Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1);
  return all.filter((number) => !numbers.includes(number)).map((number) => String(number).padStart(4, "0"));
}
