import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Table } from "#server/core/domains/tables.ts";
import { readRegistry } from "#server/core/domains/registry.ts";
import * as domains from "#server/domains.ts";
import { exportedColumns } from "#server/privacy/export.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";

// What the domains declare about personal data, compared with the tables of the database

const { as, db, make } = await start();
const { entries: registry, sections } = readRegistry(Object.values(domains));
const declared = Object.values(domains).flatMap(({ tables = {} }) => Object.entries<Table>(tables));
const nonPersonalColumns = declared.flatMap(([table, { notPersonal = {} }]) =>
  Object.values(notPersonal).flatMap((columns) => columns.split(" ").map((column) => `${table}.${column}`)),
);
const notExported = declared.flatMap(([table, { notExported: reason }]) => (reason ? [table] : []));

type Column = { table: string; column: string; type: string; hasUser: boolean; isReference: boolean; isEnum: boolean };
/**
 * Every column of every table, from the catalogue: its type, and whether it refers to a row or to a fixed list of
 * values.
 */
const { rows: catalogue } = await sql<Column>`
  with rules as (
    select conrelid, confrelid, contype, unnest(conkey) as number, pg_get_constraintdef(oid) as rule
    from pg_constraint
  )
  select
    c.table_name::text as table,
    c.column_name::text as column,
    c.data_type::text as type,
    coalesce(bool_or(contype = 'f' and confrelid = 'users'::regclass), false) as "hasUser",
    coalesce(bool_or(contype = 'f'), false) as "isReference",
    coalesce(bool_or(contype = 'c' and rule like '%ANY (ARRAY%'), false) as "isEnum"
  from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  join pg_attribute a on a.attrelid = c.table_name::regclass and a.attname = c.column_name
  left join rules on conrelid = a.attrelid and number = attnum
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migrations'
  group by 1, 2, 3`.execute(db);
const tables = [...new Set(catalogue.map(({ table }) => table))].toSorted();
/** Types that can hold what somebody wrote; numbers, times, switches and references cannot. */
const canHoldText = ({ type, isReference, isEnum }: Column) =>
  !isReference && !isEnum && /^(text|character|json|bytea|ARRAY|inet|USER)/.test(type);

test("an erasure reaches every column that can hold a person", () => {
  const deleted = new Set(registry.filter(({ set, fate }) => !set && fate === "delete").map(({ table }) => table));
  const changed = new Set(
    registry.flatMap(({ table, set }) => Object.keys(set ?? {}).map((column) => `${table}.${column}`)),
  );
  const unknown = catalogue.filter((one) => {
    const name = `${one.table}.${one.column}`;
    if (deleted.has(one.table) || changed.has(name)) return false;
    // A reference to users always identifies a person, whatever is declared.
    return one.hasUser || (canHoldText(one) && !nonPersonalColumns.includes(name));
  });
  expect(
    unknown.map(({ table, column }) => `${table}.${column}`),
    "in domain.ts: name the author of a row in `authors`, columns without personal data in `notPersonal` (both of " +
      "the table), and other personal data in an entry of personalData.ts",
  ).toEqual([]);
});

/** True for a column with data of a person, other than a reference to the author of a row that belongs to others. */
const isPersonal = (one: Column) => {
  const isAuthor = registry.some(
    ({ table, set, fate }) => table === one.table && fate === "anonymise" && set && one.column in set,
  );
  return one.hasUser ? !isAuthor : canHoldText(one) && !nonPersonalColumns.includes(`${one.table}.${one.column}`);
};

test("the export has a section for every table with personal data, or a reason why not", () => {
  const exported = new Set(sections.map(({ table }) => table));
  const personal = new Set(catalogue.filter(isPersonal).map(({ table }) => table));
  expect(
    tables.filter((table) => personal.has(table) && !exported.has(table) && !notExported.includes(table)),
    "in domain.ts: add a section to `personalData`, or the reason to `notExported` of the table",
  ).toEqual([]);
  expect(notExported.filter((table) => !personal.has(table))).toEqual([]);
});

test("the export omits only columns that exist, and never a secret", () => {
  for (const section of sections) {
    const columns = catalogue.filter(({ table }) => table === section.table).map(({ column }) => column);
    const named = [...Object.keys(section.omit ?? {}), ...(section.only ?? []), ...section.keys];
    expect([section.key, named.filter((column) => !columns.includes(column))]).toEqual([section.key, []]);
    const secrets = exportedColumns(section, columns).filter((column) =>
      /hash$|secret|(?<!put_)token(s)?$|password/.test(column),
    );
    expect([section.key, secrets]).toEqual([section.key, section.table === "files" ? ["md5_hash"] : []]);
  }
});

test("a new personal column is exported without further code", async () => {
  await sql`alter table users add column added_later text`.execute(db);
  const { admin, learner } = await make.classroom();
  await sql`update users set added_later = 'K-4711' where id = ${learner.user.id}`.execute(db);
  const { body } = await as(admin)(privacy.export, { query: { userId: learner.user.id } });
  expect(JSON.stringify(body)).toContain('"addedLater":"K-4711"');
  await sql`alter table users drop column added_later`.execute(db);
});

test("removes every reference to a person from rows that are kept", async () => {
  const { rows } = await sql<{ name: string }>`
    select f.conrelid::regclass::text || '.' || a.attname as name
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
    where f.contype = 'f' and f.confrelid = 'users'::regclass`.execute(db);
  const spoken = (name: string) => {
    const [table, column] = name.split(".") as [string, string];
    return registry.some(
      (entry) => entry.table === table && (entry.set ? column in entry.set : entry.fate === "delete"),
    );
  };
  expect(
    rows.map(({ name }) => name).filter((name) => !spoken(name)),
    "name these in domain.ts: `authors` of the table for the author of a row, otherwise `personalData`",
  ).toEqual([]);
});

test("names only existing tables and columns, once each", async () => {
  const columns = new Set(catalogue.map(({ table, column }) => `${table}.${column}`));
  expect(nonPersonalColumns.filter((name) => !columns.has(name))).toEqual([]);
  for (const { table, set } of registry) {
    expect([table, [...columns].some((name) => name.startsWith(`${table}.`))]).toEqual([table, true]);
    expect(Object.keys(set ?? {}).filter((column) => !columns.has(`${table}.${column}`))).toEqual([]);
  }
  const keys = registry.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test("every table belongs to one domain, which names its growth and retention", () => {
  expect(declared.map(([table]) => table).toSorted(), "name these under `tables` in domain.ts").toEqual(tables);
  expect(declared.filter(([, { growth, kept }]) => !(growth.rows > 0) || kept === "")).toEqual([]);
});

test("an erasure reads a domain before the domains that it uses, and the identity last", () => {
  const at = (key: string) => registry.findIndex((entry) => entry.key === key);
  expect(at("answers")).toBeLessThan(at("results"));
  expect(at("results.attempts")).toBeLessThan(at("results"));
  expect(registry.at(-1)?.table).toBe("users");
});
