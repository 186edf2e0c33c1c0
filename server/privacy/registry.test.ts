import { sql } from "kysely";
import { expect, test } from "vitest";
import { nonPersonalColumns, registry } from "#server/privacy/registry.ts";
import { sections } from "#server/privacy/sections.ts";
import { start } from "#test/start.ts";

const { db } = await start();

/** Names of columns that may contain personal data. */
const personal =
  /(^|_)(e?mail|name|user|owner|person|actor|learner|author|recipient|sender|ip|agent|phone|image|avatar|contact|device|client|subject|browser|by|logo|notes|reason|body|html|value|identifier|fields|events|answers?|cmi|data|details|receipt|key|title|text)(_|$)/;
type Column = { table: string; column: string; people: boolean };

test("covers every column that may contain personal data", async () => {
  const { rows } = await sql<Column>`
    select c.table_name::text as table, c.column_name::text as column,
      exists (select from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
        where f.contype = 'f' and f.confrelid = 'users'::regclass and f.conrelid = c.table_name::regclass and a.attname = c.column_name) as people
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migrations'`.execute(db);
  const deleted = new Set(registry.filter(({ set, fate }) => !set && fate === "delete").map(({ table }) => table));
  const changed = new Set(
    registry.flatMap(({ table, set }) => Object.keys(set ?? {}).map((column) => `${table}.${column}`)),
  );
  const unknown = rows.filter(({ table, column, people }) => {
    const name = `${table}.${column}`;
    // A foreign key to users always identifies a person, whatever is declared.
    if (people) return !deleted.has(table) && !changed.has(name);
    return personal.test(column) && !deleted.has(table) && !changed.has(name) && !(name in nonPersonalColumns);
  });
  expect(unknown.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
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
  expect(rows.map(({ name }) => name).filter((name) => !spoken(name))).toEqual([]);
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

test("exports every table that contains personal data", () => {
  const exported = sections.map(({ from }) => from);
  const missing = registry.filter(
    ({ key, table }) =>
      !key.includes(".") &&
      !["upload_sessions", "auth_verifications", "settings"].includes(table) &&
      !exported.some((from) => from.startsWith(table)),
  );
  expect(missing.map(({ key }) => key)).toEqual([]);
});
