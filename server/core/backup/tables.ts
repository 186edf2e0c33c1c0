import type { ClientBase } from "pg";

/** A table of the schema `public` and the columns that are copied: all but generated ones. Names are quoted for SQL. */
export type CopiedTable = { name: string; columns: string };

/** All tables but `migrations`, whose rows are written by the migrations themselves. */
export async function listTables(client: ClientBase): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(`
    select
      quote_ident(table_name) as name,
      string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public'
      and table_type = 'BASE TABLE'
      and is_generated = 'NEVER'
      and table_name <> 'migrations'
    group by table_name
    order by table_name`);
  return rows;
}

/** Sets every sequence to the value after the largest one in its column. */
export const resetSequences = (client: ClientBase) =>
  client.query(`do $$
    declare
      one record;
    begin
      for one in
        select
          table_name,
          column_name,
          coalesce(
            pg_get_serial_sequence(table_name, column_name),
            substring(column_default from $re$'([^']+)'$re$)
          ) as sequence
        from information_schema.columns
        where table_schema = 'public'
          and (is_identity = 'YES' or column_default like 'nextval(%')
      loop
        execute format(
          'select setval(%L, (select coalesce(max(%I), 0) + 1 from %I), false)',
          one.sequence, one.column_name, one.table_name
        );
      end loop;
    end $$`);

/**
 * Runs `load` with empty tables, without foreign keys and triggers, so that tables can be filled in any order; then
 * restores both, which checks every row. Needs the rights of the owner of the tables, and a transaction.
 */
export async function withEmptyTables(client: ClientBase, tables: CopiedTable[], load: () => Promise<void>) {
  const names = tables.map(({ name }) => name);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select
      conrelid::regclass::text as table,
      quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f'
      and connamespace = 'public'::regnamespace`);
  for (const key of keys) await client.query(`alter table ${key.table} drop constraint ${key.name}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(", ")}`);
  await load();
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const key of keys) await client.query(`alter table ${key.table} add constraint ${key.name} ${key.definition}`);
  await resetSequences(client);
}
