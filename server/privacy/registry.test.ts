import { sql } from "kysely";
import { expect, test } from "vitest";
import { exportedColumns } from "#server/privacy/export.ts";
import { nonPersonalColumns } from "#server/privacy/nonPersonalColumns.ts";
import { registry } from "#server/privacy/registry.ts";
import { notExported, sections } from "#server/privacy/sections.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";

const { as, db, make } = await start();

type Column = { table: string; column: string; type: string; hasUser: boolean; isReference: boolean; isEnum: boolean };
/**
 * Every column of every table, from the catalogue: its type, and whether it refers to a row or to a fixed list of
 * values.
 */
const { rows: catalogue } = await sql<Column>`
  with rules as (
    select conrelid, confrelid, contype, unnest(conkey) as number, pg_get_constraintdef(oid) as rule from pg_constraint)
  select c.table_name::text as table, c.column_name::text as column, c.data_type::text as type,
    coalesce(bool_or(contype = 'f' and confrelid = 'users'::regclass), false) as "hasUser",
    coalesce(bool_or(contype = 'f'), false) as "isReference",
    coalesce(bool_or(contype = 'c' and rule like '%ANY (ARRAY%'), false) as "isEnum"
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
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
    return one.hasUser || (canHoldText(one) && !(name in nonPersonalColumns));
  });
  expect(
    unknown.map(({ table, column }) => `${table}.${column}`),
    "name the author of a row with authored() in registry.ts, other personal data with an entry of its own there, and columns " +
      "without personal data in nonPersonalColumns.ts (all in server/privacy/)",
  ).toEqual([]);
});

/** True for a column with data of a person, other than a reference to the author of a row that belongs to others. */
const isPersonal = (one: Column) => {
  const isAuthor = registry.some(
    ({ table, set, fate }) => table === one.table && fate === "anonymise" && set && one.column in set,
  );
  return one.hasUser ? !isAuthor : canHoldText(one) && !(`${one.table}.${one.column}` in nonPersonalColumns);
};

test("the export has a section for every table with personal data, or a reason why not", () => {
  const exported = new Set(sections.map(({ table }) => table));
  const personal = new Set(catalogue.filter(isPersonal).map(({ table }) => table));
  expect(
    tables.filter((table) => personal.has(table) && !exported.has(table) && !(table in notExported)),
    "add a section, or the reason to notExported (server/privacy/sections.ts)",
  ).toEqual([]);
  expect(Object.keys(notExported).filter((table) => !personal.has(table))).toEqual([]);
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
    select f.conrelid::regclass::text || '.' || a.attname as name from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
    where f.contype = 'f' and f.confrelid = 'users'::regclass`.execute(db);
  const spoken = (name: string) => {
    const [table, column] = name.split(".") as [string, string];
    return registry.some(
      (entry) => entry.table === table && (entry.set ? column in entry.set : entry.fate === "delete"),
    );
  };
  expect(
    rows.map(({ name }) => name).filter((name) => !spoken(name)),
    "name these in server/privacy/registry.ts: authored() for the author of a row",
  ).toEqual([]);
});

test("names only existing tables and columns, once each", async () => {
  const { rows } = await sql<{
    name: string;
  }>`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`.execute(
    db,
  );
  const columns = new Set(rows.map(({ name }) => name));
  expect(Object.keys(nonPersonalColumns).filter((name) => !columns.has(name))).toEqual([]);
  for (const { table, set } of registry) {
    expect([table, [...columns].some((name) => name.startsWith(`${table}.`))]).toEqual([table, true]);
    expect(Object.keys(set ?? {}).filter((column) => !columns.has(`${table}.${column}`))).toEqual([]);
  }
  const keys = registry.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});
